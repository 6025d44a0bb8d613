import { ApplicationFailure } from '@temporalio/common';
import type { RunHandle, RunProgress } from '../../../src/client';
import type { Report } from '../../../src/contracts/report/report';
import type { OutageSettings } from '../../../src/contracts/run/outages';
import type { ReportRunInput } from '../../../src/contracts/report/report-run';
import { stepVersions } from '../../../src/steps/step-versions';
import { StoreWriteError } from '../../../src/stores/errors/store-write-error';
import type { Stores } from '../../../src/stores/stores';
import type { ColligateWorker } from '../../../src/worker';
import { REPORT_SCRIPT } from '../../support/report-script';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { createScriptedEngine, enginesThatFollow, type ScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';

/** What is away is waited for, through a real server; the waits are short, and each activity is tried once. */

const SHORT = { firstWaitMs: 50, attempts: 1 } as const;
const PATIENT: OutageSettings = { ...SHORT, patienceMs: 3_600_000, afterwards: 'park' };
const PARKS: OutageSettings = { ...SHORT, patienceMs: 0, afterwards: 'park' };
const FAILS: OutageSettings = { ...SHORT, patienceMs: 0, afterwards: 'fail' };

const MODEL = { name: 'scripted', contextTokens: 16_000, price: null };
const BY_MODEL = {
  engine: 'openai',
  models: { fast: MODEL, strong: MODEL, critic: MODEL },
} satisfies Partial<ReportRunInput>;
const USAGE = { calls: 1, cachedCalls: 0, inputTokens: 100, outputTokens: 10, costUsd: 0 };

let bench: RunBench;
let worker: ColligateWorker;
let current: ScriptedEngine;
let undisturbed: unknown;

beforeAll(async () => {
  bench = await openRunBench();
  worker = await bench.startWorker(enginesThatFollow(() => current));
  current = scripted();
  const run = await bench.startRun('undisturbed', { ...BY_MODEL, outages: PATIENT });
  await run.waitUntilClosed();
  undisturbed = comparable(await reportOf(run));
});
afterAll(async () => {
  await worker.drain();
  await bench.close();
});

/** An engine whose steps fail with `failure` while there is one. */
function scripted(failing: { step?: string; failure: Error | null } = { failure: null }): ScriptedEngine {
  const script = Object.fromEntries(
    Object.entries(REPORT_SCRIPT).map(([step, answer]) => [
      step,
      (...asked: Parameters<typeof answer>) => {
        if (failing.failure !== null && (failing.step ?? step) === step) throw failing.failure;
        return answer(...asked);
      },
    ]),
  );
  return createScriptedEngine(script, { usage: USAGE });
}

function endpoint(kind: string, { retryable = true, message = `The endpoint is ${kind}.` } = {}): Error {
  return ApplicationFailure.create({ message, type: `ModelFailure.${kind}`, nonRetryable: !retryable });
}

function seen(run: RunHandle, isIt: (progress: RunProgress) => boolean): Promise<RunProgress> {
  return until(() => run.progress(), isIt);
}

async function reportOf(run: RunHandle): Promise<{ report: Report; markdown: string }> {
  const stored = await run.report();
  if (stored === null) throw new Error(`run ${run.runId} must have stored a report`);
  return stored;
}

function comparable({ report, markdown }: { report: Report; markdown: string }): unknown {
  const { id: _id, timings: _timings, usage: _usage, provenance, ...rest } = report;
  const { runtime: _runtime, ...pinned } = provenance;
  return { ...rest, provenance: pinned, markdown };
}

async function eventTypes(runId: string): Promise<string[]> {
  return (await bench.stores.events.read(runId)).map(({ type }) => type);
}

/** Starts a run by models against an engine that fails until its `failure` is taken away. */
async function startFailing(
  runId: string,
  failure: Error,
  outages: OutageSettings,
  step?: string,
): Promise<{ run: RunHandle; failing: { failure: Error | null } }> {
  const failing = { failure, ...(step === undefined ? {} : { step }) };
  current = scripted(failing);
  return { run: await bench.startRun(runId, { ...BY_MODEL, outages }), failing };
}

describe('an endpoint that is away', () => {
  it.each(['unreachable', 'overloaded', 'rate-limited', 'server-error'])(
    'is waited for where it is %s, and the run ends as if nothing had been',
    async (kind) => {
      const { run, failing } = await startFailing(`away-${kind}`, endpoint(kind), PATIENT);
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
      'shared',
      endpoint('unreachable'),
      PATIENT,
      'extract-findings',
    );
    await seen(run, ({ status }) => status === 'waiting');
    const calls = current.calls.length;
    await until(
      () => Promise.resolve(current.calls.length),
      (now) => now >= calls + 3,
    );
    failing.failure = null;
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(comparable(await reportOf(run))).toEqual(undisturbed);
    const events = await eventTypes('shared');
    expect(events.filter((type) => type === 'run-waiting')).toHaveLength(1);
  });

  it('is tried at once where somebody resumes the run', async () => {
    const slow = { ...PATIENT, firstWaitMs: 300_000 };
    const { run, failing } = await startFailing('hurried', endpoint('unreachable'), slow);
    const { waiting } = await seen(run, ({ status }) => status === 'waiting');
    expect(Date.parse(waiting?.nextTry ?? '') - Date.now()).toBeGreaterThan(100_000);
    failing.failure = null;
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  });

  it('keeps nobody from pausing the run, or from cancelling it', async () => {
    const { run, failing } = await startFailing('cancelled', endpoint('unreachable'), PATIENT, 'cross-check');
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
    const { run, failing } = await startFailing('parked', endpoint('unreachable'), PARKS, 'extract-findings');
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
    const { run } = await startFailing('failing', endpoint('unreachable'), FAILS);
    expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed', engineUnreachable: true });
  });

  it('leaves a partial report where it is not to wait and has found something', async () => {
    const { run } = await startFailing('failing-late', endpoint('unreachable'), FAILS, 'cross-check');
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    expect((await reportOf(run)).report.claims).toHaveLength(4);
  });
});

describe('what somebody has to mend', () => {
  it.each(['wrong-key', 'unknown-model', 'quota-exceeded', 'bad-request'])(
    'parks the run at once: %s',
    async (kind) => {
      const { run, failing } = await startFailing(
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
    current = createScriptedEngine(
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
    const walking = current.hold('write-section', '"Walking"');
    const run = await bench.startRun(`own-${kind}`, { ...BY_MODEL, outages: PATIENT });
    await walking.reached;
    await until(
      () => Promise.resolve(current.calls.filter(({ step }) => step === 'write-section').length),
      (calls) => calls >= 3,
    );
    walking.release();
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    const { report } = await reportOf(run);
    expect(report.claims).toHaveLength(4);
    expect(report.warnings.map(({ code }) => code)).toContain('model-unusable');
  });
});

describe('a store that does not answer', () => {
  it('is waited for, in every pass and at the end', async () => {
    current = scripted();
    let isAway = false;
    const away = (): void => {
      if (isAway) throw new StoreWriteError('the store', new Error('No space left on device'));
    };
    const { content, events } = bench.stores;
    const stores: Stores = {
      ...bench.stores,
      content: {
        ...content,
        store: async (...given) => (away(), content.store(...given)),
        storeBatch: async (...given) => (away(), content.storeBatch(...given)),
      },
      events: { ...events, appendOnce: async (...given) => (away(), events.appendOnce(...given)) },
    };
    await worker.drain();
    const other = await bench.startWorker(
      enginesThatFollow(() => current),
      undefined,
      { stores },
    );
    try {
      isAway = true;
      const run = await bench.startRun('store-away', { ...BY_MODEL, outages: PATIENT });
      const first = await seen(run, ({ status }) => status === 'waiting');
      expect(first).toMatchObject({ waiting: { what: 'the store' }, pass: { name: 'gather' } });
      const writing = current.hold('write-summary');
      isAway = false;
      await writing.reached;
      isAway = true;
      writing.release();
      await seen(run, ({ status, pass }) => status === 'waiting' && pass.name === 'report');
      isAway = false;
      expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
      expect(comparable(await reportOf(run))).toEqual(undisturbed);
    } finally {
      await other.drain();
      worker = await bench.startWorker(enginesThatFollow(() => current));
    }
  });
});

describe('a worker that is missing', () => {
  it('is waited for where none asks models', async () => {
    await worker.drain();
    current = scripted();
    const extractive = { extractive: enginesThatFollow(() => current).extractive };
    const without = await bench.startWorker(extractive);
    const outages = { ...PATIENT, queueMs: 500 };
    const run = await bench.startRun('no-models', { ...BY_MODEL, outages });
    const { waiting } = await seen(run, ({ status }) => status === 'waiting');
    expect(waiting?.what).toBe('a worker that asks models');
    // What was never asked has cost nothing.
    const cancelled = await bench.startRun('no-models-cancelled', { ...BY_MODEL, outages });
    await seen(cancelled, ({ status }) => status === 'waiting');
    await cancelled.cancel();
    expect(await cancelled.waitUntilClosed()).toEqual({ status: 'cancelled' });
    expect((await reportOf(cancelled)).report.usage).toMatchObject({ calls: 0, inputTokens: 0, costUsd: 0 });
    await without.drain();
    worker = await bench.startWorker(enginesThatFollow(() => current));
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(comparable(await reportOf(run))).toEqual(undisturbed);
  });

  it('is not waited for where the run has no patience', async () => {
    await worker.drain();
    current = scripted();
    const without = await bench.startWorker({ extractive: enginesThatFollow(() => current).extractive });
    try {
      const run = await bench.startRun('none', { ...BY_MODEL, outages: { ...FAILS, queueMs: 500 } });
      expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed' });
    } finally {
      await without.drain();
      worker = await bench.startWorker(enginesThatFollow(() => current));
    }
  });

  it('is waited for where this one has another version of a step, and nothing is done without it', async () => {
    current = scripted();
    const run = await bench.startRun('other-version', {
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
    await worker.drain();
    current = scripted();
    const engines = enginesThatFollow(() => current);
    const single = await bench.startWorker(engines, undefined, { concurrentCalls: 1 });
    try {
      const hold = current.hold('write-section');
      const run = await bench.startRun('busy', { ...BY_MODEL, outages: { ...FAILS, queueMs: 500 } });
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
      worker = await bench.startWorker(engines);
    }
  });
});

/** How often a step of the run was given back because no worker had taken it. */
async function timesUntaken(runId: string): Promise<number> {
  const { events } = await bench.client.workflow.getHandle(runId).fetchHistory();
  return (events ?? []).filter(({ activityTaskTimedOutEventAttributes: timedOut }) => timedOut).length;
}
