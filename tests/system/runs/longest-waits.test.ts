import { createScriptedEngine } from '../../support/scripted-engine';
import { REPORT_SCRIPT } from '../../support/report-script';
import { openRunBench, type RunBench } from '../../support/run-bench';

let bench: RunBench;
beforeAll(async () => {
  bench = await openRunBench();
});
afterAll(() => bench.close());

it('a run takes the longest waits and the largest limits that a start may name', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const worker = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) });
  try {
    const run = await bench.startRun('longest', {
      outages: {
        patienceMs: 604_800_000,
        afterwards: 'park',
        firstWaitMs: most,
        queueMs: most,
        heartbeatMs: most,
        attempts: 1_000_000,
      },
      budget: { maxTokens: most, maxCostUsd: Number.MAX_VALUE, maxTimeMs: most },
    });
    expect(await run.waitUntilClosed({ signal: AbortSignal.timeout(60_000) })).toEqual({
      status: 'completed',
    });
  } finally {
    await worker.drain();
  }
});
