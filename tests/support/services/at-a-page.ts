import { readFileSync } from 'node:fs';
import type { Page } from 'puppeteer-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds to be wrong with a page for somebody. */
export async function findings(page: Page): Promise<unknown> {
  // The page's own policy runs no script but its own.
  await page.evaluate(AXE);
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + " " + target)))',
  );
}

/** A page that follows a run may put another in the place of what was found; a locator, which minds that, needs the page's scripts. */
async function click(page: Page, selector: string): Promise<void> {
  try {
    await page.click(selector);
  } catch (error) {
    if (!String(error).includes('detached from document')) throw error;
    await click(page, selector);
  }
}

/** Clicks on what leads to another page, and waits for that. */
export async function to(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), click(page, selector)]);
}

export function press(page: Page, text: string): Promise<void> {
  return to(page, `::-p-xpath(//button[normalize-space()=${JSON.stringify(text)}])`);
}

export const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, ({ textContent }) => textContent ?? '');
