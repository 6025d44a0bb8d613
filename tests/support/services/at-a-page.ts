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

/** Does what leads to another page, and waits for that. */
export async function to(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForNavigation(), act()]);
}

export async function press(page: Page, text: string): Promise<void> {
  const button = await page.$(`::-p-xpath(//button[normalize-space()=${JSON.stringify(text)}])`);
  await to(page, async () => button?.click());
}

export const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, ({ textContent }) => textContent ?? '');
