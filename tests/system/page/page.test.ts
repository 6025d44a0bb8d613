import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { stripUnsafe } from '../../../src/lib/untrusted-text';
import { plainText } from '../../../src/report/cited-markdown/markdown-tree';
import type { DocumentClaim, DocumentTree } from '../../../src/report/document/document';
import { htmlPage } from '../../../src/report/document/html-page';
import { claimAnchor } from '../../../src/report/document/page-parts';
import { forAllTests } from '../../support/for-all-tests';
import { describeWithBrowser, openBrowser, type WatchedPage } from '../../support/services/browser';
import { PLANTED, writtenDocument } from './documents';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const linkTo = ({ id }: DocumentClaim): string => `#${claimAnchor(id)}`;

/** What a page shows, and Markdown's signs and lines do not change. */
const letters = (text: string): string => stripUnsafe(text).replace(/[^\p{L}\p{N}]/gu, '');

/**
 * What a reader sees, and the page tells in its own language: the passage that is open and what is marked in it, or null; the
 * address that the focus is on; the claim or the quotes that are out of sight where a passage is open.
 */
const SEEN = {
  opened: `(() => {
    const passage = document.querySelector('.passage:target');
    if (!passage?.checkVisibility()) return null;
    const markedIn = (place) => [...place.querySelectorAll('mark')].map((mark) => mark.textContent).join('');
    return { text: passage.textContent, quotes: [...passage.querySelectorAll('figure')].map(markedIn) };
  })()`,
  focused: `document.activeElement?.getAttribute('href')`,
  outOfSight: `(() => {
    const claims = [...document.querySelectorAll('a.claim[aria-current]')];
    const quotes = [...document.querySelectorAll('.passage:target mark')];
    const isInSight = (element) => {
      const [{ left, top }] = element.getClientRects();
      return element.contains(document.elementFromPoint(left + 5, top + 5));
    };
    if (claims.length === 0 || quotes.length === 0) return ['nothing is open'];
    return [...claims, ...quotes].filter((element) => !isInSight(element)).map(({ textContent }) => textContent);
  })()`,
};

async function opened(page: Page): Promise<{ text: string; quotes: string[] } | null> {
  const passage = (await page.evaluate(SEEN.opened)) as Awaited<ReturnType<typeof opened>>;
  return passage && { text: letters(passage.text), quotes: passage.quotes.map(letters) };
}

const quotesOf = ({ evidence }: DocumentClaim): string[] =>
  evidence.map(({ quote }) => letters(plainText(quote)));

/** A claim may run over several lines, and the middle of what they cover be none of them: nothing is pointed at. */
async function follow(page: Page, claim: DocumentClaim): Promise<void> {
  await page.evaluate(`document.querySelector('a.claim[href="${linkTo(claim)}"]').click()`);
}

/** What axe finds, a line each: the rule and where. */
async function findings(page: Page): Promise<unknown> {
  await page.evaluate(AXE);
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + " " + target)))',
  );
}

/** Presses Tab until the focus is on what the selector names. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 500; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(`document.activeElement.matches('${selector}')`)) === true) return;
  }
  throw new Error(`No ${selector} is reached by Tab.`);
}

describeWithBrowser('the page of a document in a browser', () => {
  const browser = forAllTests(openBrowser);
  const plain = writtenDocument();
  const planted = writtenDocument(` ${PLANTED.join(' ')}`);
  const [first, second] = plain.claims;
  if (first === undefined || second === undefined) throw new Error('The document has claims.');
  let folder: string;

  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'colligate-page-'))));
  afterAll(() => rm(folder, { recursive: true }));

  async function open(
    tree: DocumentTree,
    { at = '', ...look }: { at?: string; width?: number; scheme?: 'light' | 'dark' } = {},
  ): Promise<WatchedPage> {
    const file = join(folder, 'report.html');
    await writeFile(file, htmlPage(tree));
    const watched = await browser.openPage(look);
    await watched.page.goto(`${pathToFileURL(file).href}${at}`);
    return watched;
  }

  async function opensEveryPassage(tree: DocumentTree): Promise<void> {
    expect(tree.claims.length).toBeGreaterThan(1);
    const { page, errors, close } = await open(tree);
    for (const claim of tree.claims) {
      await follow(page, claim);
      const passage = await opened(page);
      expect([...(passage?.quotes ?? [])].sort()).toEqual(quotesOf(claim).sort());
      for (const { before, quote, after } of claim.evidence)
        expect(passage?.text).toContain(letters(plainText(before + quote + after)));
      expect(passage?.text).toContain(letters(claim.reason));
    }
    expect(errors).toEqual([]);
    await close();
  }

  describe('opens a passage with its quotes for every claim', () => {
    it('of one with planted texts', () => opensEveryPassage(planted));
  });

  it('is read by the keyboard alone', async () => {
    const { page, close } = await open(plain);
    await tabTo(page, 'a.claim');
    expect(await page.evaluate(SEEN.focused)).toBe(linkTo(first));
    await page.keyboard.press('Enter');
    expect((await opened(page))?.quotes).toEqual(quotesOf(first));
    // What is reached next stands in the passage, and leads back to where the reader was.
    await tabTo(page, '.passage:target .back');
    await page.keyboard.press('Enter');
    expect(await opened(page)).toBeNull();
    expect(await page.evaluate(SEEN.focused)).toBe(linkTo(first));
    await tabTo(page, 'a.claim');
    await page.keyboard.press('Enter');
    expect((await opened(page))?.quotes).toEqual(quotesOf(second));
    await page.keyboard.press('Escape');
    expect(await opened(page)).toBeNull();
    expect(await page.evaluate(SEEN.focused)).toBe(linkTo(second));
    await close();
  });

  it.each(['light', 'dark'] as const)('gives axe nothing to find, %s', async (scheme) => {
    const { page, close } = await open(planted, { scheme });
    expect(await findings(page)).toEqual([]);
    for (const claim of planted.claims.slice(0, 1)) await follow(page, claim);
    expect(await findings(page)).toEqual([]);
    await close();
  });

  it('asks for nothing, and does nothing that is planted in it', async () => {
    const { page, refused, dialogs, errors, close } = await open(planted);
    for (const claim of planted.claims) await follow(page, claim);
    expect(await page.evaluate('window.planted')).toBeUndefined();
    expect(await page.$$eval('img, iframe, object, embed, [onload], [onerror]', ({ length }) => length)).toBe(
      0,
    );
    const protocols = await page.$$eval('a', (anchors) => anchors.map(({ protocol }) => protocol));
    expect([...new Set(protocols)].sort()).toEqual(['file:', 'https:']);
    expect({ refused, dialogs, errors }).toEqual({ refused: [], dialogs: [], errors: [] });
    await close();
  });

  // Without it the test before could see nothing and pass.
  it('would be seen asking, showing a dialog and failing', async () => {
    const { page, refused, dialogs, errors, close } = await browser.openPage();
    await page.setContent('<img src="https://planted.example/1"><script>alert(1); nothing();</script>');
    expect({ refused, dialogs }).toEqual({ refused: ['https://planted.example/1'], dialogs: ['1'] });
    expect(errors).toContainEqual(expect.stringContaining('nothing is not defined'));
    await close();
  });

  it.each([320, 1280])('has no line that a window of %d pixels cuts', async (width) => {
    for (const at of ['', linkTo(first)]) {
      const { page, close } = await open(planted, { width, at });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await close();
    }
  });

  it('opens a passage beside the text, which does not move, by the number of a source', async () => {
    const { page, close } = await open(plain);
    const left = `document.querySelector('.part p, .part li').getBoundingClientRect().left`;
    const before = await page.evaluate(left);
    await page.click('a.claim .cite');
    expect((await opened(page))?.quotes).toEqual(quotesOf(first));
    expect(await page.evaluate(left)).toBe(before);
    await close();
  });

  it('has its passages in print', async () => {
    const { page, close } = await open(plain);
    await page.emulateMediaType('print');
    const printed = letters(String(await page.evaluate('document.body.innerText')));
    for (const quote of plain.claims.flatMap(quotesOf)) expect(printed).toContain(quote);
    await close();
  });
});
