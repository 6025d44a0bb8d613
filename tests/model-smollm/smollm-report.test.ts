import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { SynthesisSettings } from '../../src/core/contracts/run';
import { openModelBench, type ModelBench } from '../model-runs/model-bench';
import { problemsOfReport, sourcesOfRun } from '../model-runs/report-problems';
import { findSmolLm, startSmolLm, type SmolLm } from './smollm';
import { answersBySmolLm } from './smollm-server';

const CONTEXT_TOKENS = 2_048;
/** Two processors, shared with other tests. */
const TIME_LIMIT_MS = 900_000;
const NOTES = ['bosworth-2012-bone', 'jorde-2010-bone', 'napoli-2013-bone-turnover'].map((name) =>
  join(__dirname, '../../examples/vitamin-d', `${name}.md`),
);

const files = findSmolLm(loadConfig().cacheDir);
if ('missing' in files) console.warn(`SKIPPED: no test of a model that nobody scripted. ${files.missing}`);

// Without the weights there is nothing to try; CI refuses what is skipped.
('missing' in files ? describe.skip : describe)('a small model that nobody scripted', () => {
  let bench: ModelBench;
  let model: SmolLm;

  beforeAll(async () => {
    if ('missing' in files) return;
    model = await startSmolLm(files, CONTEXT_TOKENS);
    bench = await openModelBench();
  }, TIME_LIMIT_MS);
  afterEach(() => bench.rest());
  afterAll(async () => {
    await bench.close();
    await model.close();
  });

  test(
    'a whole report comes of it, in which every quote and every citation is right',
    async () => {
      const asked: unknown[] = [];
      const recorded: SmolLm = {
        ...model,
        async ask(q, p, s) {
          const at = Date.now();
          const end = await model.ask(q, p, s);
          asked.push({
            step: q.messages[0]?.content.slice(0, 40),
            turns: q.messages.length,
            format: q.format !== null,
            max: q.maxTokens,
            ms: Date.now() - at,
            end,
          });
          writeFileSync('/tmp/smol-asked.json', JSON.stringify(asked, null, 1));
          return end;
        },
      };
      const { start, server } = await bench.serve(answersBySmolLm(recorded), {
        contextTokens: { small: CONTEXT_TOKENS, large: CONTEXT_TOKENS },
        maxConcurrentCalls: 1,
        inactivityMs: 600_000,
      });
      await start('smollm', {
        question: 'What does vitamin D do for bone health?',
        sources: { paths: NOTES },
        synthesis: SynthesisSettings.parse({ targetReportLength: 500, pass3CrossRefCount: 2 }),
      });
      const run = bench.colligate.run('smollm');
      const { status } = await run.waitUntilClosed();
      const stored = await run.report();
      writeFileSync('/tmp/smol-report.json', JSON.stringify(stored?.report ?? status, null, 1));
      writeFileSync('/tmp/smol-report.md', stored?.markdown ?? '');
      if (stored === null) throw new Error(`the run left no report: ${status}`);
      expect(problemsOfReport(stored.report, await sourcesOfRun(bench, 'smollm'))).toEqual([]);
      expect(server.asked.length).toBeGreaterThan(5);
    },
    TIME_LIMIT_MS,
  );
});
