import { REPORT_SCRIPT } from '../../support/report-script';
import { createScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { comparable } from '../durability/run-log';
import {
  BY_MODEL,
  endpoint,
  FAILS,
  PARKS,
  PATIENT,
  seen,
  startFailing,
  undisturbedRun,
  USAGE,
} from './outage-runs';
import { reportOf, useScriptedRuns } from './scripted-runs';

/** What is away is waited for, through a real server. */

const runs = useScriptedRuns();
let undisturbed: unknown;
beforeAll(async () => {
  undisturbed = await undisturbedRun(runs);
});

describe('an endpoint that is away', () => {
  it.each(['unreachable', 'overloaded', 'rate-limited', 'server-error'])(
    'is waited for where it is %s, and the run ends as if nothing had been',
    async (kind) => {
      const { run, failing } = await startFailing(runs, `away-${kind}`, endpoint(kind), PATIENT);
      const { waiting, parked } = await seen(run, ({ status }) => status === 'waiting');
      expect(waiting).toMatchObject({ what: 'the model endpoint', reason: `The endpoint is ${kind}.` });
      expect(parked).toBeNull();
      const { nextTry } = waiting ?? {};
      // It tries on by itself, and each time later.
      await seen(run, (later) => (later.waiting?.nextTry ?? '') > (nextTry ?? ''));
      failing.failure = null;
      expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
      expect(comparable(await reportOf(run))).toEqual(undisturbed);
      const types = await eventTypes(run.runId);
      expect(types.indexOf('run-waiting')).toBeGreaterThan(0);
      expect(types.indexOf('run-goes-on')).toBeGreaterThan(types.indexOf('run-waiting'));
    },
  );

  it('is asked by one of those who wait, and all go on when it answers', async () => {
    const { run, failing } = await startFailing(
      runs,
      'shared',
      endpoint('unreachable'),
      PATIENT,
      'extract-findings',
    );
    await seen(run, ({ status }) => status === 'waiting');
    const calls = runs.engine.calls.length;
    await until(
      () => Promise.resolve(runs.engine.calls.length),
      (now) => now >= calls + 3,
    );
    failing.failure = null;
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(comparable(await reportOf(run))).toEqual(undisturbed);
    const events = await eventTypes('shared');
    expect(events.filter((type) => type === 'run-waiting')).toHaveLength(1);
  });

  it('is tried where somebody resumes the run, before it would be by itself', async () => {
    // Longer than any test goes on.
    const slow = { ...PATIENT, firstWaitMs: 1_800_000 };
    const { run, failing } = await startFailing(runs, 'hurried', endpoint('unreachable'), slow);
    await seen(
      run,
      ({ waiting }) =>
        waiting !== null && Date.parse(waiting.nextTry) - Date.parse(waiting.since) >= slow.firstWaitMs,
    );
    failing.failure = null;
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  });

  it('keeps nobody from pausing the run, or from cancelling it', async () => {
    const { run, failing } = await startFailing(
      runs,
      'cancelled',
      endpoint('unreachable'),
      PATIENT,
      'cross-check',
    );
    await seen(run, ({ status }) => status === 'waiting');
    await run.pause();
    await seen(run, ({ status, waiting }) => status === 'paused' && waiting === null);
    await run.resume();
    await seen(run, ({ status }) => status === 'waiting');
    await run.cancel();
    expect(await run.waitUntilClosed()).toEqual({ status: 'cancelled' });
    expect(failing.failure).not.toBeNull();
    const { report } = await reportOf(run);
    expect(report.claims.length).toBeGreaterThan(0);
  });
});

describe('a run without patience', () => {
  it('is parked with the reason, and goes on where it is resumed', async () => {
    const { run, failing } = await startFailing(
      runs,
      'parked',
      endpoint('unreachable'),
      PARKS,
      'extract-findings',
    );
    const { status, waiting, parked } = await seen(
      run,
      (progress) => progress.parked !== null && progress.status === 'paused',
    );
    expect({ status, waiting }).toEqual({ status: 'paused', waiting: null });
    expect(parked?.reason).toBe('The endpoint is unreachable.');
    // Still away: it is tried once, and parked again.
    await run.resume();
    await seen(run, (progress) => progress.parked !== null && progress.parked.since > (parked?.since ?? ''));
    failing.failure = null;
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(comparable(await reportOf(run))).toEqual(undisturbed);
    expect(await eventTypes('parked')).toContain('run-parked');
  });

  it('fails where it is not to wait and has found nothing', async () => {
    const { run } = await startFailing(runs, 'failing', endpoint('unreachable'), FAILS);
    expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed', engineUnreachable: true });
  });

  it('leaves a partial report where it is not to wait and has found something', async () => {
    const { run } = await startFailing(runs, 'failing-late', endpoint('unreachable'), FAILS, 'cross-check');
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    expect((await reportOf(run)).report.claims).toHaveLength(4);
  });
});

describe('what somebody has to mend', () => {
  it.each(['wrong-key', 'unknown-model', 'quota-exceeded', 'bad-request'])(
    'parks the run at once: %s',
    async (kind) => {
      const { run, failing } = await startFailing(
        runs,
        `mend-${kind}`,
        endpoint(kind, { retryable: false }),
        PATIENT,
      );
      const { parked } = await seen(run, ({ status }) => status === 'paused');
      expect(parked?.reason).toBe(`The endpoint is ${kind}.`);
      failing.failure = null;
      await run.resume();
      expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
      expect(comparable(await reportOf(run))).toEqual(undisturbed);
    },
  );
});

describe('a request that the endpoint cannot answer, while it answers others', () => {
  it.each([
    ['bad-request', false],
    ['server-error', true],
  ])('is quoted over, and stops nothing: %s', async (kind, retryable) => {
    runs.engine = createScriptedEngine(
      {
        ...REPORT_SCRIPT,
        'write-section': (input: { section: { title: string } }, context) => {
          // Both steps have begun before one fails for good; what quotes has no name for a model.
          if (input.section.title === 'Tea' && context.models !== undefined)
            throw endpoint(kind, { retryable });
          return REPORT_SCRIPT['write-section']?.(input as never, context);
        },
      },
      { usage: USAGE },
    );
    const walking = runs.engine.hold('write-section', '"Walking"');
    const run = await runs.bench.startRun(`own-${kind}`, { ...BY_MODEL, outages: PATIENT });
    await walking.reached;
    await until(
      () => Promise.resolve(runs.engine.calls.filter(({ step }) => step === 'write-section').length),
      (calls) => calls >= 3,
    );
    walking.release();
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    const { report } = await reportOf(run);
    expect(report.claims).toHaveLength(4);
    expect(report.warnings.map(({ code }) => code)).toContain('model-unusable');
  });
});

async function eventTypes(runId: string): Promise<string[]> {
  return (await runs.bench.stores.events.read(runId)).map(({ type }) => type);
}
