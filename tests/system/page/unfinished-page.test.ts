import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runSnapshot } from '../../../src/core/run/run-snapshot';
import { unfinishedPage } from '../../../src/document/page/unfinished-page';
import type { UnfinishedDocument } from '../../../src/document/unfinished-document';
import { forAllTests } from '../../support/for-all-tests';
import { describeWithBrowser, openBrowser } from '../../support/services/browser';
import { PLANTED, writtenDocument } from './documents';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A report of which one section is written, whose endpoint is away; with `planted` in all that others wrote. */
function halfWritten(planted = ''): UnfinishedDocument {
  const { parts, sources, question } = writtenDocument(planted);
  const [first, second] = parts;
  const since = '2026-01-02T03:04:05.000Z';
  return {
    snapshot: runSnapshot(
      {
        runId: 'half',
        kind: 'report',
        status: 'waiting',
        pass: { number: 4, of: 4, name: 'report', message: 'Generating comprehensive report…' },
        section: { index: 1, of: 2, id: '2', title: second?.title ?? '' },
        percent: 90,
        waiting: { what: 'the model endpoint', reason: `It is away.${planted}`, since, nextTry: since },
        parked: null,
        usage: { calls: 12, cachedCalls: 3, inputTokens: 40_000, outputTokens: 210, costUsd: 0.12 },
        warnings: [{ code: 'thin', message: `Little was found.${planted}` }],
        startedAt: since,
        updatedAt: since,
      },
      null,
    ),
    question,
    madeAt: since,
    sections: [
      { id: '1', title: first?.title ?? '', state: 'written', markdown: first?.markdown ?? '' },
      { id: '2', title: second?.title ?? '', state: 'being written', markdown: null },
    ],
    sources,
  };
}

describeWithBrowser('the page of a run that goes on, in a browser', () => {
  const browser = forAllTests(openBrowser);
  let file: string;
  beforeAll(async () => (file = join(await mkdtemp(join(tmpdir(), 'colligate-page-')), 'report.html')));
  afterAll(() => rm(join(file, '..'), { recursive: true }));

  it.each([
    ['light', 1280, ''],
    ['dark', 320, ''],
    ['light', 320, ` ${PLANTED.join(' ')}`],
  ] as const)(
    'is readable for all, asks for nothing and does nothing: %s, %i px',
    async (scheme, width, planted) => {
      await writeFile(file, unfinishedPage(halfWritten(planted)));
      const { page, refused, dialogs, errors, close } = await browser.openPage({ scheme, width });
      await page.goto(pathToFileURL(file).href);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(width);
      expect(await page.evaluate('window.planted')).toBeUndefined();
      await page.evaluate(AXE);
      const findings = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id }) => id))',
      );
      expect(findings).toEqual([]);
      // Its script has run: whoever reads the page can have it stay.
      const stay = await page.waitForSelector('#stay', { visible: true });
      await stay?.click();
      expect(await page.$eval('#stay', (button) => button.hasAttribute('disabled'))).toBe(true);
      expect({ refused, dialogs, errors }).toEqual({ refused: [], dialogs: [], errors: [] });
      await close();
    },
  );
});
