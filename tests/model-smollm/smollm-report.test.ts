import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, type Config } from '../../src/config';
import { modelChoices } from '../../src/config-models';
import type { Report } from '../../src/core/contracts/report';
import { createEngines } from '../../src/create-engines';
import { createThreadPool, type ThreadPool } from '../../src/threads/pool';
import type { ColligateWorker } from '../../src/worker';
import type { ModelServer } from '../model-server/model-server';
import { openRunBench, type RunBench } from '../support/run-bench';
import { findSmolLm, startSmolLm, type SmolLm } from './smollm';
import { SMOLLM, startSmolLmServer } from './smollm-server';

const CONTEXT_TOKENS = 4_096;
/** Two processors, shared with other tests. */
const TIME_LIMIT_MS = 900_000;
const NOTES = [
  'bosworth-2012-bone',
  'jorde-2010-bone',
  'napoli-2013-bone-turnover',
  'zheng-2018-dialysis',
].map((name) => join(__dirname, '../../examples/vitamin-d', `${name}.md`));

const files = findSmolLm(loadConfig().cacheDir);
if ('missing' in files) console.warn(`SKIPPED: no test of a model that nobody scripted. ${files.missing}`);

// Without the weights there is nothing to try; CI refuses what is skipped.
('missing' in files ? describe.skip : describe)('a small model that nobody scripted', () => {
  let folder: string;
  let bench: RunBench;
  let threads: ThreadPool;
  let model: SmolLm;
  let server: ModelServer;
  let config: Config;
  let worker: ColligateWorker;

  beforeAll(async () => {
    if ('missing' in files) return;
    folder = mkdtempSync(join(tmpdir(), 'colligate-smollm-'));
    model = await startSmolLm(files, CONTEXT_TOKENS);
    server = await startSmolLmServer(model);
    const settings = {
      dataDir: folder,
      logLevel: 'silent',
      openai: {
        baseUrl: server.baseUrl,
        models: { fast: SMOLLM, strong: SMOLLM },
        contextTokens: { [SMOLLM]: CONTEXT_TOKENS },
        maxConcurrentCalls: 1,
        inactivityMs: 600_000,
      },
      synthesis: { targetReportLength: 500, pass3CrossRefCount: 2 },
      worker: { threads: 1 },
    };
    writeFileSync(join(folder, 'colligate.config.json'), JSON.stringify(settings));
    config = loadConfig({ cwd: folder, env: {} });
    bench = await openRunBench();
    threads = createThreadPool({ threads: 1 });
    worker = await bench.startWorker(createEngines(config, { threads, stores: bench.stores }));
  }, TIME_LIMIT_MS);

  afterAll(async () => {
    await worker.drain();
    await threads.close();
    await bench.close();
    await server.close();
    await model.close();
    rmSync(folder, { recursive: true });
  });

  it(
    'gives a whole report, in which every quote and citation is right',
    async () => {
      const { run } = await bench.colligate.startReport(
        bench.request({
          runId: 'smollm',
          question: 'What does vitamin D do for bones and health?',
          engine: 'openai',
          models: modelChoices(config.openai),
          synthesis: config.synthesis,
          sources: { paths: NOTES },
        }),
      );
      const closed = await run.waitUntilClosed();
      const stored = await run.report();
      if (process.env.SHOW) {
        writeFileSync('/tmp/smol-report.json', JSON.stringify(stored?.report ?? closed, null, 1));
        writeFileSync('/tmp/smol-report.md', stored?.markdown ?? '');
        writeFileSync(
          '/tmp/smol-asked.json',
          JSON.stringify(
            server.asked.map((r) => r.body),
            null,
            1,
          ),
        );
      }
      expect(closed).toEqual({ status: 'completed' });
      const report: Report | undefined = stored?.report;
      expect(report).toBeDefined();
    },
    TIME_LIMIT_MS,
  );
});
