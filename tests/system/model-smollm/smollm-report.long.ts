import { join } from 'node:path';
import { loadConfig } from '../../../src/app/config';
import { SynthesisSettings } from '../../../src/contracts/run-settings';
import { type ModelBench, openModelBench } from '../model-runs/model-bench';
import { problemsOfReport, sourcesOfRun } from '../model-runs/report-problems';
import { findSmolLm, type SmolLm, startSmolLm } from './smollm';
import { answersBySmolLm } from './smollm-server';

const CONTEXT_TOKENS = 8_192;
/** Ends what never ends; two processors that do nothing else take three to five minutes for a run. */
const TIME_LIMIT_MS = 900_000;
const NOTES = ['bosworth-2012-bone', 'jorde-2010-bone', 'napoli-2013-bone-turnover'].map((name) =>
  join(__dirname, '../../../examples/vitamin-d', `${name}.md`),
);

const files = findSmolLm(loadConfig().cacheDir);
if ('missing' in files) console.warn(`SKIPPED: no test of a model that nobody scripted. ${files.missing}`);

// Without the weights there is nothing to try.
('missing' in files ? describe.skip : describe)('a small model that nobody scripted', () => {
  let model: SmolLm;

  beforeAll(async () => {
    if ('missing' in files) return;
    model = await startSmolLm(files, CONTEXT_TOKENS);
  }, TIME_LIMIT_MS);
  afterAll(() => model.close());

  describe('asked by runs', () => {
    let bench: ModelBench;
    beforeAll(async () => {
      bench = await openModelBench();
    }, 180_000);
    afterEach(() => bench.rest());
    afterAll(() => bench.close());

    // Different questions, so that no run is spared by the answers of another.
    test.each([
      [4_096, 'What does vitamin D do for bone health?'],
      [CONTEXT_TOKENS, 'Does vitamin D slow the loss of bone?'],
    ])(
      'a report with claims comes of it, window %d, and every quote is in its source',
      async (contextTokens, question) => {
        const served = await bench.serve(answersBySmolLm(model), {
          contextTokens: { small: contextTokens, large: contextTokens },
          maxConcurrentCalls: 1,
        });
        const runId = `smollm-${contextTokens}`;
        await served.start(runId, {
          question,
          sources: { paths: NOTES },
          synthesis: SynthesisSettings.parse({ targetReportLength: 500, pass3CrossRefCount: 0 }),
        });
        const run = bench.colligate.run(runId);
        const { status } = await run.waitUntilClosed({ signal: AbortSignal.timeout(TIME_LIMIT_MS) });
        const stored = await run.report();
        if (stored === null) throw new Error(`the run left no report: ${status}`);
        const { report } = stored;
        expect(['completed', 'partial']).toContain(status);
        const sources = await sourcesOfRun(bench, runId);
        expect(problemsOfReport(report, sources)).toEqual([]);
        expect(report.claims.length).toBeGreaterThanOrEqual(1);
        for (const { n, quote, start, end } of report.claims.flatMap(({ evidence }) => evidence)) {
          const cited = report.citations.find((citation) => citation.n === n)?.sourceId ?? '';
          expect(sources.get(cited)?.content.slice(start, end)).toBe(quote);
        }
        // It asked in earnest, and so weak a model gives reason to warn.
        expect(report.usage.calls).toBeGreaterThan(3);
        expect(report.sections.length).toBeLessThanOrEqual(2);
        expect(report.usage.outputTokens).toBeGreaterThan(100);
        expect(report.warnings.map(({ code }) => code)).not.toEqual([]);
      },
      TIME_LIMIT_MS + 60_000,
    );
  });
});
