import { stepVersions } from '../../../src/steps/step-versions';
import { enginesThatFollow } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { comparable } from '../durability/run-log';
import { BY_MODEL, FAILS, PATIENT, scripted, seen, undisturbedRun } from './outage-runs';
import { reportOf, useScriptedRuns } from './scripted-runs';

const runs = useScriptedRuns();
let undisturbed: unknown;
beforeAll(async () => {
  undisturbed = await undisturbedRun(runs);
});

describe('a worker that is missing', () => {
  it('is waited for where none asks models', async () => {
    await runs.stopWorker();
    runs.engine = scripted();
    const extractive = { extractive: enginesThatFollow(() => runs.engine).extractive };
    const without = await runs.bench.startWorker(extractive);
    const outages = { ...PATIENT, queueMs: 500 };
    const run = await runs.bench.startRun('no-models', { ...BY_MODEL, outages });
    const { waiting } = await seen(run, ({ status }) => status === 'waiting');
    expect(waiting?.what).toBe('a worker that asks models');
    // What was never asked has cost nothing.
    const cancelled = await runs.bench.startRun('no-models-cancelled', { ...BY_MODEL, outages });
    await seen(cancelled, ({ status }) => status === 'waiting');
    await cancelled.cancel();
    expect(await cancelled.waitUntilClosed()).toEqual({ status: 'cancelled' });
    expect((await reportOf(cancelled)).report.usage).toMatchObject({ calls: 0, inputTokens: 0, costUsd: 0 });
    await without.drain();
    await runs.startWorker();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(comparable(await reportOf(run))).toEqual(undisturbed);
  });

  it('is not waited for where the run has no patience', async () => {
    await runs.stopWorker();
    runs.engine = scripted();
    const without = await runs.bench.startWorker({
      extractive: enginesThatFollow(() => runs.engine).extractive,
    });
    try {
      const run = await runs.bench.startRun('none', { ...BY_MODEL, outages: { ...FAILS, queueMs: 500 } });
      expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed' });
    } finally {
      await without.drain();
      await runs.startWorker();
    }
  });

  it('is waited for where this one has another version of a step, and nothing is done without it', async () => {
    runs.engine = scripted();
    const run = await runs.bench.startRun('other-version', {
      ...BY_MODEL,
      outages: PATIENT,
      stepVersions: { ...stepVersions, outline: 'of-another-release' },
    });
    const { waiting } = await seen(run, ({ status }) => status === 'waiting');
    expect(waiting).toMatchObject({
      what: 'a worker that can do the step',
      reason: expect.stringContaining('of-another-release') as string,
    });
    await run.cancel();
    expect(await run.waitUntilClosed()).toEqual({ status: 'cancelled' });
  });
});

describe('a worker that is busy', () => {
  it('is not taken for one that is missing, even without patience', async () => {
    await runs.stopWorker();
    runs.engine = scripted();
    const engines = enginesThatFollow(() => runs.engine);
    const single = await runs.bench.startWorker(engines, undefined, { concurrentCalls: 1 });
    try {
      const hold = runs.engine.hold('write-section');
      const run = await runs.bench.startRun('busy', { ...BY_MODEL, outages: { ...FAILS, queueMs: 500 } });
      await hold.reached;
      await until(
        () => timesUntaken('busy'),
        (times) => times >= 2,
      );
      expect(await run.progress()).toMatchObject({ status: 'running', waiting: null });
      hold.release();
      expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
      expect(comparable(await reportOf(run))).toEqual(undisturbed);
    } finally {
      await single.drain();
      await runs.startWorker();
    }
  });
});

/** How often a step of the run was given back because no worker had taken it. */
async function timesUntaken(runId: string): Promise<number> {
  const { events } = await runs.bench.client.workflow.getHandle(runId).fetchHistory();
  return (events ?? []).filter(({ activityTaskTimedOutEventAttributes: timedOut }) => timedOut).length;
}
