import type { Hold } from '../../support/kills/hold';
import { openKillBench, type HoldingWorker, type KillBench } from '../../support/kills/kill-bench';
import { NOTES } from '../../support/kills/material';
import { comparable, problemsOfLog, type RunRecord } from '../../support/kills/run-record';

let bench: KillBench;
let model: RunRecord;
beforeAll(async () => {
  bench = await openKillBench();
  const worker = await bench.startWorker();
  await bench.start('undisturbed', NOTES);
  model = await bench.finished('undisturbed');
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
});
afterAll(() => bench.close());

/** A worker that holds one of the run's deep dives. */
async function holdDeepDive(runId: string, shutdownGraceMs: number): Promise<HoldingWorker> {
  const hold: Hold = { runId, at: 'asked', step: 'extract-findings' };
  const worker = await bench.startHoldingWorker([hold], { shutdownGraceMs });
  await bench.start(runId, NOTES);
  await worker.holds(hold);
  return worker;
}

async function expectSameReport(runId: string): Promise<void> {
  const record = await bench.finished(runId);
  expect(comparable(record)).toEqual(comparable(model));
  expect(problemsOfLog(record)).toEqual([]);
}

test('a worker that is told to stop finishes what it holds, and begins nothing', async () => {
  const worker = await holdDeepDive('finished', 60_000);
  worker.child.kill('SIGTERM');
  worker.letGo();
  expect((await worker.ended).code).toBe(0);
  const pending = await bench.pending('finished');
  expect(pending.filter(({ attempt, isStarted }) => attempt > 1 || isStarted)).toEqual([]);
  const next = await bench.startWorker();
  await expectSameReport('finished');
  await next.kill();
});

test('a worker that is told to stop hands over what it cannot finish in time', async () => {
  const worker = await holdDeepDive('handed-over', 200);
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
  // It told the server, so nobody has to wait until it is given up for dead.
  const held = (await bench.pending('handed-over')).filter(({ pid }) => pid === worker.pid);
  expect(held.map(({ type }) => type)).toContain('deepDiveSection');
  expect(held.filter(({ isStarted, isTimedOut }) => isStarted || isTimedOut)).toEqual([]);
  const next = await bench.startWorker();
  await expectSameReport('handed-over');
  await next.kill();
});
