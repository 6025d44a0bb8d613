import { stepVersions } from '../../../src/steps/registry';
import { BY_MODEL } from '../../support/answer-script';
import { ended, reaches, seen } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { cases, LONG } from '../../support/long';
import { endpoint, FAILS, limited, openOutageBench, PARKS, PATIENT, USAGE } from './outage-runs';

/** What is away is waited for, through a real server. */

const bench = forAllTests(openOutageBench);
afterEach(() => {
  bench.failing = { failure: null };
});

const UNREACHABLE = endpoint('unreachable');

async function eventTypes(runId: string): Promise<string[]> {
  return (await bench.eventsOf(runId)).map(({ type }) => type);
}

describe('an endpoint that is away', () => {
  it.each(['unreachable', 'overloaded', 'rate-limited', 'server-error'].slice(0, cases(1, 4)))(
    'is waited for where it is %s, and the run ends as if nothing had been',
    async (kind) => {
      const run = await bench.startFailing(`away-${kind}`, PATIENT, endpoint(kind));
      const { waiting, parked } = await reaches(run, 'waiting');
      expect(waiting).toMatchObject({ what: 'the model endpoint', reason: `The endpoint is ${kind}.` });
      expect(parked).toBeNull();
      // It tries on by itself, and each time later.
      await seen(run, (later) => (later.waiting?.nextTry ?? '') > (waiting?.nextTry ?? ''));
      bench.failing.failure = null;
      await bench.expectUndisturbed(run);
      const types = await eventTypes(run.runId);
      expect(types.indexOf('run-waiting')).toBeGreaterThan(0);
      expect(types.indexOf('run-goes-on')).toBeGreaterThan(types.indexOf('run-waiting'));
    },
  );

  it('keeps nobody from pausing the run, or from cancelling it', async () => {
    const run = await bench.startFailing('cancelled', PATIENT, UNREACHABLE, 'cross-check');
    await reaches(run, 'waiting');
    await run.pause();
    expect((await reaches(run, 'paused')).waiting).toBeNull();
    await run.resume();
    await reaches(run, 'waiting');
    await run.cancel();
    const { status, report } = await ended(run);
    expect(status).toBe('cancelled');
    expect(bench.failing.failure).not.toBeNull();
    expect(report.claims.length).toBeGreaterThan(0);
  });
});

describe('a limit whose end the endpoint names', () => {
  const HOURS = 8 * 3_600_000;
  const PATIENT_ENOUGH = { ...PATIENT, patienceMs: 2 * HOURS };

  it('is told at once, costs no attempts, and outlives its worker', async () => {
    const run = await bench.startFailing('limited', PATIENT_ENOUGH, limited(HOURS), 'cross-check');
    const { waiting } = await reaches(run, 'waiting');
    expect(waiting).toMatchObject({ what: 'small at models.example', reason: 'Per day.' });
    expect(waiting?.nextTry).toBe(waiting?.until);
    expect(Date.parse(waiting?.until ?? '') - Date.now()).toBeGreaterThan(HOURS / 2);
    expect(bench.engine.calls.filter(({ step }) => step === 'cross-check')).toHaveLength(1);
    expect(await run.progress({ fromRecords: true })).toMatchObject({ status: 'waiting', waiting });
    await bench.rest();
    await bench.startWorker();
    expect((await seen(run, ({ toldBy }) => toldBy === 'run')).waiting).toEqual(waiting);
    await run.pause();
    expect((await reaches(run, 'paused')).waiting).toBeNull();
    bench.failing.failure = null;
    await run.resume();
    await bench.expectUndisturbed(run);
  });

  it('is over by itself then, and a further one is waited for anew', async () => {
    const run = await bench.startFailing('limited-twice', PATIENT_ENOUGH, limited(300));
    const first = (await reaches(run, 'waiting')).waiting;
    bench.failing.failure = limited(HOURS);
    await seen(run, ({ waiting }) => (waiting?.until ?? '') > (first?.until ?? ''));
    await run.cancel();
    expect(await run.waitUntilClosed()).toEqual({ status: 'cancelled' });
  });

  it('parks at once where it lasts for longer than the patience, and fails where that is wanted', async () => {
    const run = await bench.startFailing('limited-parked', PATIENT, limited(HOURS));
    const { parked } = await reaches(run, 'paused');
    expect(parked?.reason).toMatch(
      /^small at models\.example takes no more requests until .* UTC: Per day\.$/,
    );
    const failing = await bench.startFailing('limited-failing', FAILS, limited(HOURS));
    expect(await failing.waitUntilClosed()).toMatchObject({ status: 'failed', engineUnreachable: true });
    const lasting = await bench.startFailing(
      'limited-kept',
      { ...FAILS, outlastsLimits: true },
      limited(HOURS),
    );
    await reaches(lasting, 'waiting');
    await Promise.all([run, lasting].map((each) => each.cancel()));
  });
});

describe('a run without patience', () => {
  it('is parked with the reason, and goes on where it is resumed', async () => {
    const run = await bench.startFailing('parked', PARKS, UNREACHABLE, 'extract-findings');
    const { waiting, parked } = await seen(run, (now) => now.parked !== null && now.status === 'paused');
    expect(waiting).toBeNull();
    expect(parked?.reason).toBe('The endpoint is unreachable.');
    // Still away: it is tried once, and parked again.
    await run.resume();
    await seen(run, (now) => now.parked !== null && now.parked.since > (parked?.since ?? ''));
    bench.failing.failure = null;
    await run.resume();
    await bench.expectUndisturbed(run);
    expect(await eventTypes('parked')).toContain('run-parked');
  });

  it('fails where it is not to wait and has found nothing', async () => {
    const run = await bench.startFailing('failing', FAILS, UNREACHABLE);
    expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed', engineUnreachable: true });
  });

  it('leaves a partial report where it is not to wait and has found something', async () => {
    const run = await bench.startFailing('failing-late', FAILS, UNREACHABLE, 'cross-check');
    const { status, report } = await ended(run);
    expect(status).toBe('partial');
    expect(report.claims).toHaveLength(4);
  });
});

describe('what somebody has to mend', () => {
  it.each(['wrong-key', 'unknown-model', 'quota-exceeded', 'bad-request'].slice(0, cases(1, 4)))(
    'parks the run at once: %s',
    async (kind) => {
      const run = await bench.startFailing(`mend-${kind}`, PATIENT, endpoint(kind, { retryable: false }));
      const { parked } = await reaches(run, 'paused');
      expect(parked?.reason).toBe(`The endpoint is ${kind}.`);
      bench.failing.failure = null;
      await run.resume();
      await bench.expectUndisturbed(run);
    },
  );
});

describe('a request that the endpoint cannot answer, though it answers others', () => {
  it('is quoted over, and stops nothing', async () => {
    const refused = (): never => {
      throw endpoint('bad-request', { retryable: false });
    };
    bench.play({ 'write-text': refused }, { usage: USAGE });
    const { status, report } = await ended(bench.startRun('refused', { ...BY_MODEL, outages: PATIENT }));
    expect(status).toBe('partial');
    expect(report.claims).toHaveLength(4);
    expect(report.warnings.map(({ code }) => code)).toContain('model-unusable');
  });
});

/** Has no worker but one for runs and what needs no model. */
async function withoutModels(): Promise<void> {
  const run: typeof bench.engine.run = (step, input, context) => bench.engine.run(step, input, context);
  await bench.rest();
  await bench.startWorker({ extractive: { name: 'extractive', run, close: () => Promise.resolve() } });
}

(LONG ? describe : describe.skip)('a worker that is missing', () => {
  afterEach(async () => {
    await bench.rest();
    await bench.startWorker();
  });

  it('is waited for where none asks models', async () => {
    await withoutModels();
    const outages = { ...PATIENT, queueMs: 500 };
    const run = await bench.start('no-models', outages);
    expect((await reaches(run, 'waiting')).waiting?.what).toBe('a worker that asks models');
    // What was never asked has cost nothing.
    const cancelled = await bench.start('no-models-cancelled', outages);
    await reaches(cancelled, 'waiting');
    await cancelled.cancel();
    const { status, report } = await ended(cancelled);
    expect(status).toBe('cancelled');
    expect(report.usage).toMatchObject({ calls: 0, inputTokens: 0, costUsd: 0 });
    await bench.rest();
    await bench.startWorker();
    await bench.expectUndisturbed(run);
  });

  it('is waited for where this one has another version of a step, and nothing is done without it', async () => {
    const run = await bench.start('other-version', PATIENT, {
      stepVersions: { ...stepVersions, outline: 'of-another-release' },
    });
    expect((await reaches(run, 'waiting')).waiting).toMatchObject({
      what: 'a worker that can do the step',
      reason: expect.stringContaining('of-another-release') as string,
    });
    await run.cancel();
    expect(await run.waitUntilClosed()).toEqual({ status: 'cancelled' });
  });
});
