import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeHistory } from './history-file';
import { REPORT_SCRIPT } from './report-script';
import { openRunBench, type RunBench } from './run-bench';
import { createScriptedEngine } from './scripted-engine';
import { until } from './until';

/**
 * Records the histories that `tests/workflows/replay.test.ts` replays: `npx tsx tests/support/record-histories.ts`.
 * Record them anew when a change of the workflow is meant to break runs that are under way, and say so in the change log.
 */
async function record(): Promise<void> {
  const folder = join(__dirname, '..', 'histories');
  await mkdir(folder, { recursive: true });
  const bench = await openRunBench();
  try {
    for (const [name, make] of [
      ['completed', completed],
      ['paused-and-cancelled', pausedAndCancelled],
      ['continued', continued],
    ] as const) {
      await make(bench, name);
      const history = await bench.client.workflow.getHandle(name).fetchHistory();
      writeHistory(join(folder, `${name}.json`), history);
    }
  } finally {
    await bench.close();
  }
}

async function completed(bench: RunBench, runId: string): Promise<void> {
  const worker = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) });
  const { run } = await bench.colligate.startReport(bench.request({ runId }));
  await run.waitUntilClosed();
  await worker.drain();
}

async function pausedAndCancelled(bench: RunBench, runId: string): Promise<void> {
  const engine = createScriptedEngine(REPORT_SCRIPT);
  const hold = engine.hold('extract-findings', '"Tea"');
  const worker = await bench.startWorker({ extractive: engine });
  const { run } = await bench.colligate.startReport(bench.request({ runId }));
  await hold.reached;
  await run.pause();
  await until(
    () => run.progress(),
    ({ status }) => status === 'pausing',
  );
  await run.resume();
  await run.cancel();
  await run.waitUntilClosed();
  await worker.drain();
}

/** The last of its histories: it takes up what the ones before have carried over. */
async function continued(bench: RunBench, runId: string): Promise<void> {
  const worker = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) });
  const run = await bench.startRun(runId, { continueAsNewAfterEvents: 1 });
  await run.waitUntilClosed();
  await worker.drain();
}

void record();
