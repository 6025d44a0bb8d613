import {
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
} from '@temporalio/workflow';
import { DEFAULT_PATIENCE_MS } from '../contracts/pipeline';
import type { OutageSettings, Parked, Waiting } from '../contracts/run';
import { limitSentence } from '../contracts/run-status';
import { ENGINE_UNREACHABLE } from './messages';
import {
  failureUsage,
  FIRST_WAIT_MS,
  MAX_WAIT_MS,
  OUTAGE_LASTED,
  type OutageCause,
  outageCause,
  PROBE_QUEUE_MS,
  REQUEST_REFUSED,
} from './steps';

// Outages, pauses and the time limit of a run.

export type AttemptOptions = Pick<ActivityOptions, 'retry' | 'scheduleToStartTimeout' | 'heartbeatTimeout'>;

/** Retries work during outages, until the dependency is back or the patience is over. */
export interface Outages {
  /** Waiting work probes in turn. Rejects for an error of the work itself, or if the setting is `fail`. */
  outlast<Result>(
    attempt: (trial: AttemptOptions) => Promise<Result>,
    options?: RetryOptions,
  ): Promise<Result>;
  /** Null if other work continues, except for a limit with a known end. */
  readonly waiting: Waiting | null;
  readonly isWorking: boolean;
  readonly parked: Parked | null;
  tryNow(): void;
}

interface RetryOptions {
  heedsPause?: boolean;
}

interface OutageListeners {
  onChange: () => void;
  onSpent: (usage: NonNullable<ReturnType<typeof failureUsage>>) => void;
}

export function createOutages(
  settings: OutageSettings | undefined,
  gate: PauseController,
  listeners: OutageListeners,
  hasAnswered: () => boolean,
): Outages {
  const { patienceMs = DEFAULT_PATIENCE_MS, afterwards = 'park', attempts, heartbeatMs } = settings ?? {};
  const heard: AttemptOptions = heartbeatMs === undefined ? {} : { heartbeatTimeout: heartbeatMs };
  const full: AttemptOptions =
    attempts === undefined ? heard : { ...heard, retry: { maximumAttempts: attempts } };
  const once: AttemptOptions = { ...heard, retry: { maximumAttempts: 1 } };
  const probe: AttemptOptions =
    patienceMs < PROBE_QUEUE_MS ? once : { ...once, scheduleToStartTimeout: PROBE_QUEUE_MS };
  const going = new Map<OutageCause['thing'], Outage>();
  let parked: Parked | null = null;
  let undisturbed = 0;
  let answeredAt = 0;

  function begin(trouble: OutageCause): Outage {
    const outage = createOutage(trouble, settings?.firstWaitMs);
    going.set(trouble.thing, outage);
    return outage;
  }

  function end(outage: Outage): void {
    if (outage.over) return;
    outage.over = true;
    if (going.get(outage.thing) === outage) going.delete(outage.thing);
    listeners.onChange();
  }

  function goOn(outage: Outage, trouble: OutageCause, isBusy: boolean): void {
    outage.failedAgain(trouble);
    if (isBusy || isWorthWaiting(outage, trouble)) return;
    const { thing } = outage;
    const reason =
      trouble.until === null ? trouble.reason : limitSentence({ ...trouble, until: trouble.until });
    if (afterwards === 'fail') {
      const type =
        thing === 'store' || thing === 'queue' || thing === 'worker' ? OUTAGE_LASTED : ENGINE_UNREACHABLE;
      outage.failure = ApplicationFailure.nonRetryable(reason, type);
      going.delete(thing);
    } else if (parked === null) {
      parked = { reason, since: new Date().toISOString() };
      gate.pause();
    }
  }

  /** A limit that outlasts the patience is not waited for, unless `outlastsLimits` is set. */
  function isWorthWaiting(outage: Outage, { needsMending, until }: OutageCause): boolean {
    if (until !== null && settings?.outlastsLimits === true) return true;
    const waitedMs = (until === null ? Date.now() : Date.parse(until)) - outage.patientSince;
    return !needsMending && waitedMs < patienceMs;
  }

  /** True if the caller is to probe; false if the outage is over. */
  async function waitFor(outage: Outage, { heedsPause = true }: RetryOptions): Promise<boolean> {
    const me = {};
    outage.line.push(me);
    const isOver = (): boolean => outage.over || outage.failure !== null;
    const isHeld = (): boolean => parked !== null || (heedsPause && gate.paused);
    try {
      await condition(() => isOver() || (outage.line[0] === me && !outage.probing));
      while (!isOver() && (isHeld() || !outage.isDue())) {
        if (isHeld()) await condition(() => isOver() || !isHeld());
        else await condition(() => isOver() || isHeld() || outage.isDue(), outage.msToNextTry());
      }
      if (outage.failure !== null) throw outage.failure;
      if (outage.over) return false;
      outage.beginTry();
      return true;
    } finally {
      outage.line = outage.line.filter((other) => other !== me);
    }
  }

  /** Returns the outage to wait for, or null to retry at once. Throws final errors. */
  function afterFailure(error: unknown, probed: Outage | null, triedSince: number): Outage | null {
    const trouble = outageCause(error);
    if (trouble === null) {
      // The dependency answered. A probe is a single attempt, so retryable errors get all attempts.
      if (probed === null || isCancellation(error)) throw error;
      end(probed);
      if (error instanceof ActivityFailure && error.retryState === 'NON_RETRYABLE_FAILURE') throw error;
      return null;
    }
    if (isOfTheRequest(trouble, probed)) {
      if (probed !== null) end(probed);
      const usage = failureUsage(error);
      throw ApplicationFailure.create({
        message: trouble.reason,
        type: REQUEST_REFUSED,
        nonRetryable: true,
        ...(usage === null ? {} : { details: [{ usage }] }),
      });
    }
    log.warn('An activity waits for what is away', { reason: trouble.reason });
    const usage = failureUsage(error);
    if (usage !== null) listeners.onSpent(usage);
    if (probed !== null && probed.thing !== trouble.thing) end(probed);
    const known = going.get(trouble.thing);
    const outage = known ?? begin(trouble);
    if (known === undefined || probed === known) {
      // Workers that run other steps, or did meanwhile, are not missing.
      const others = undisturbed - (probed === null ? 1 : 0);
      goOn(outage, trouble, trouble.thing === 'queue' && (others > 0 || answeredAt > triedSince));
    }
    listeners.onChange();
    return outage;
  }

  /** True if the endpoint rejects this request but answered others. */
  function isOfTheRequest(trouble: OutageCause, probed: Outage | null): boolean {
    if (!trouble.maybeOfTheRequest) return false;
    if (trouble.needsMending) return hasAnswered();
    return probed !== null && answeredAt > probed.since;
  }

  return {
    async outlast(attempt, options = {}) {
      let outage: Outage | null = null;
      for (;;) {
        const isTrying: boolean = outage !== null && (await waitFor(outage, options));
        const probed: Outage | null = isTrying ? outage : null;
        const triedSince = Date.now();
        try {
          if (probed === null) undisturbed += 1;
          else listeners.onChange();
          // A limit with a known end needs no probe.
          const result = await attempt(probed === null || probed.until !== null ? full : probe);
          if (usedModel(result)) answeredAt = Date.now();
          const queue = going.get('queue');
          if (queue !== undefined && usedModel(result)) end(queue);
          if (probed !== null) end(probed);
          return result;
        } catch (error) {
          outage = afterFailure(error, probed, triedSince);
        } finally {
          if (probed === null) undisturbed -= 1;
          else probed.probing = false;
          if (going.size > 0) listeners.onChange();
        }
      }
    },
    get waiting() {
      if (parked !== null || gate.paused) return null;
      const outages = [...going.values()];
      const first = outages.find(({ until }) => until !== null) ?? (undisturbed > 0 ? undefined : outages[0]);
      return first?.told() ?? null;
    },
    get isWorking() {
      return undisturbed > 0;
    },
    get parked() {
      return parked;
    },
    tryNow() {
      const wasParked = parked !== null;
      parked = null;
      for (const outage of going.values()) outage.tryNow();
      if (wasParked || going.size > 0) listeners.onChange();
    },
  };
}

function usedModel(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('usage' in result)) return false;
  const { usage } = result as { usage: { calls: number; cachedCalls: number } }; // only results of `Spent` have a usage
  return usage.calls > usage.cachedCalls;
}

/** Times are milliseconds of the workflow clock. */
interface Outage {
  readonly thing: OutageCause['thing'];
  readonly what: string;
  readonly since: number;
  readonly until: string | null;
  readonly patientSince: number;
  line: object[];
  probing: boolean;
  over: boolean;
  failure: ApplicationFailure | null;
  isDue(): boolean;
  msToNextTry(): number;
  beginTry(): void;
  failedAgain(trouble: OutageCause): void;
  tryNow(): void;
  told(): Waiting;
}

function createOutage({ thing, what, ...first }: OutageCause, firstWaitMs = FIRST_WAIT_MS): Outage {
  const since = Date.now();
  let patientSince = since;
  let { reason: why, until } = first;
  let waitMs = firstWaitMs;
  let nextTry = since;
  /** A retry was requested during a probe, which may have started too early. */
  let askedMeanwhile = false;
  /** A task in a queue waits for a worker by itself, so no extra delay is needed. */
  const waits = thing !== 'queue';
  const outage: Outage = {
    thing,
    what,
    since,
    get until() {
      return until;
    },
    get patientSince() {
      return patientSince;
    },
    line: [],
    probing: false,
    over: false,
    failure: null,
    isDue: () => Date.now() >= nextTry,
    msToNextTry: () => Math.max(1, nextTry - Date.now()),
    beginTry() {
      outage.probing = true;
      nextTry = Date.now();
      askedMeanwhile = false;
    },
    failedAgain(trouble) {
      ({ reason: why, until } = trouble);
      if (until !== null) {
        nextTry = Date.parse(until);
        return;
      }
      nextTry = Date.now() + (waits && !askedMeanwhile ? waitMs : 0);
      waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
    },
    tryNow() {
      patientSince = Date.now();
      nextTry = patientSince;
      waitMs = firstWaitMs;
      askedMeanwhile = outage.probing;
    },
    told: () => ({
      what,
      reason: why,
      since: new Date(since).toISOString(),
      nextTry: new Date(nextTry).toISOString(),
      ...(until === null ? {} : { until }),
    }),
  };
  return outage;
}

/** All work of a run passes through it (decision 4). */
export interface PauseController {
  readonly paused: boolean;
  readonly draining: boolean;
  pause(): void;
  resume(): void;
  /** Waits while the run is paused. Rejects if the run is cancelled meanwhile. */
  pass<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createPauseController(options: { paused: boolean; onChange: () => void }): PauseController {
  let paused = options.paused;
  let underWay = 0;
  return {
    get paused() {
      return paused;
    },
    get draining() {
      return paused && underWay > 0;
    },
    pause() {
      if (paused) return;
      paused = true;
      options.onChange();
    },
    resume() {
      if (!paused) return;
      paused = false;
      options.onChange();
    },
    async pass(work) {
      if (paused) await condition(() => !paused);
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
        if (paused && underWay === 0) options.onChange();
      }
    },
  };
}

export interface RunClock {
  activeMs(): number;
  stop(): void;
  start(): void;
  readonly timeIsUp: boolean;
  within<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Time does not count while `isStill` is true. `limitMs` returns undefined without a limit. */
export function createRunClock(
  isStill: () => boolean,
  { limitMs, activeMs: before }: { limitMs: () => number | undefined; activeMs: number },
): RunClock {
  let counted = before;
  let since: number | null = isStill() ? null : Date.now();
  let timeIsUp = false;

  const activeMs = (): number => counted + (since === null ? 0 : Date.now() - since);

  async function run(): Promise<void> {
    for (;;) {
      if (isStill()) await condition(() => !isStill());
      const most = limitMs();
      if (most === undefined) {
        await condition(() => limitMs() !== undefined);
        continue;
      }
      const isOther = await condition(() => isStill() || limitMs() !== most, Math.max(1, most - activeMs()));
      if (!isOther && activeMs() >= most) return;
    }
  }
  return {
    activeMs,
    stop() {
      counted = activeMs();
      since = null;
    },
    start() {
      since ??= Date.now();
    },
    get timeIsUp() {
      return timeIsUp;
    },
    async within(work) {
      const watch = new CancellationScope();
      const working = new CancellationScope();
      void watch
        .run(run)
        .then(() => {
          timeIsUp = true;
          working.cancel();
        })
        .catch((error: unknown) => {
          if (!isCancellation(error)) throw error;
        });
      try {
        return await working.run(work);
      } finally {
        watch.cancel();
      }
    },
  };
}
