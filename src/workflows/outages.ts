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
import { takesNoMore } from '../contracts/run-status';
import { ENGINE_UNREACHABLE } from './messages';
import {
  FIRST_WAIT_MS,
  LONGEST_WAIT_MS,
  OUTAGE_LASTED,
  PROBE_QUEUE_MS,
  REQUEST_REFUSED,
  type Trouble,
  troubleOf,
  usageTold,
} from './steps';

export type Trial = Pick<ActivityOptions, 'retry' | 'scheduleToStartTimeout' | 'heartbeatTimeout'>;

/** Work goes on over outages: it is tried anew until what was away is back, or until the run's patience is over. */
export interface Outages {
  /**
   * Carries the work out, and again after each outage; several that wait for the same thing try it in turn, and all go
   * on when one succeeds. Rejects where the work failed for itself, or where the run is to fail and not to wait.
   */
  outlast<Result>(attempt: (trial: Trial) => Promise<Result>, options?: OutlastOptions): Promise<Result>;
  /**
   * Null where the run waits for nothing, or for something beside which other work goes on; a limit whose end is known is
   * there at once.
   */
  readonly waiting: Waiting | null;
  /** Other work goes on beside what waits. */
  readonly isWorking: boolean;
  readonly parked: Parked | null;
  /** Tries at once, and with new patience. */
  tryNow(): void;
}

interface OutlastOptions {
  /** False for what is done although the run is paused, such as its end. */
  heedsPause?: boolean;
}

interface OutageListeners {
  onChange: () => void;
  /** What work had used that is tried anew. */
  onSpent: (usage: NonNullable<ReturnType<typeof usageTold>>) => void;
}

export function createOutages(
  settings: OutageSettings | undefined,
  gate: PauseGate,
  listeners: OutageListeners,
  hasAnswered: () => boolean,
): Outages {
  const { patienceMs = DEFAULT_PATIENCE_MS, afterwards = 'park', attempts, heartbeatMs } = settings ?? {};
  const heard: Trial = heartbeatMs === undefined ? {} : { heartbeatTimeout: heartbeatMs };
  const full: Trial = attempts === undefined ? heard : { ...heard, retry: { maximumAttempts: attempts } };
  const once: Trial = { ...heard, retry: { maximumAttempts: 1 } };
  const probe: Trial =
    patienceMs < PROBE_QUEUE_MS ? once : { ...once, scheduleToStartTimeout: PROBE_QUEUE_MS };
  const going = new Map<Trouble['thing'], Outage>();
  let parked: Parked | null = null;
  /** How many pieces of work are carried out that no outage is known to stop. */
  let undisturbed = 0;
  let answeredAt = 0;

  function begin(trouble: Trouble): Outage {
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

  function goOn(outage: Outage, trouble: Trouble, isBusy: boolean): void {
    outage.failedAgain(trouble);
    if (isBusy || isWorthWaiting(outage, trouble)) return;
    const { thing } = outage;
    const reason =
      trouble.until === null ? trouble.reason : takesNoMore({ ...trouble, until: trouble.until });
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

  /** A limit that lasts for longer than the patience is not waited for at all. */
  function isWorthWaiting(outage: Outage, { needsMending, until }: Trouble): boolean {
    if (until !== null && settings?.outlastsLimits === true) return true;
    const waitedMs = (until === null ? Date.now() : Date.parse(until)) - outage.patientSince;
    return !needsMending && waitedMs < patienceMs;
  }

  /** Whether the work is the one that tries; false where it may simply go on. */
  async function waitFor(outage: Outage, { heedsPause = true }: OutlastOptions): Promise<boolean> {
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

  /** What the failure of a try means: what to wait for next, or null for another try at once; throws what is final. */
  function afterFailure(error: unknown, probed: Outage | null, triedSince: number): Outage | null {
    const trouble = troubleOf(error);
    if (trouble === null) {
      // It was asked, and it answered, if with a failure; one try is not all that the work may have.
      if (probed === null || isCancellation(error)) throw error;
      end(probed);
      if (error instanceof ActivityFailure && error.retryState === 'NON_RETRYABLE_FAILURE') throw error;
      return null;
    }
    if (isOfTheRequest(trouble, probed)) {
      if (probed !== null) end(probed);
      const usage = usageTold(error);
      throw ApplicationFailure.create({
        message: trouble.reason,
        type: REQUEST_REFUSED,
        nonRetryable: true,
        ...(usage === null ? {} : { details: [{ usage }] }),
      });
    }
    log.warn('An activity waits for what is away', { reason: trouble.reason });
    const usage = usageTold(error);
    if (usage !== null) listeners.onSpent(usage);
    if (probed !== null && probed.thing !== trouble.thing) end(probed);
    const known = going.get(trouble.thing);
    const outage = known ?? begin(trouble);
    if (known === undefined || probed === known) {
      // Workers that are at other steps of the run, or were meanwhile, are not missing.
      const others = undisturbed - (probed === null ? 1 : 0);
      goOn(outage, trouble, trouble.thing === 'queue' && (others > 0 || answeredAt > triedSince));
    }
    listeners.onChange();
    return outage;
  }

  /** Where the endpoint answers others meanwhile, it is not the endpoint that is away. */
  function isOfTheRequest(trouble: Trouble, probed: Outage | null): boolean {
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
          // Behind a limit with a known end there is nothing to probe: the usual attempts are made.
          const result = await attempt(probed === null || probed.until !== null ? full : probe);
          if (askedAModel(result)) answeredAt = Date.now();
          const queue = going.get('queue');
          if (queue !== undefined && askedAModel(result)) end(queue);
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

function askedAModel(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('usage' in result)) return false;
  const { usage } = result as { usage: { calls: number; cachedCalls: number } }; // of `Spent`, the only one
  return usage.calls > usage.cachedCalls;
}

/** Something that is away, and the tries to reach it. Times are milliseconds of the workflow's clock. */
interface Outage {
  readonly thing: Trouble['thing'];
  readonly what: string;
  readonly since: number;
  /** When the endpoint takes requests again, where it says so. */
  readonly until: string | null;
  /** From when patience is counted: whoever resumes a run has given it anew. */
  readonly patientSince: number;
  /** Those who wait; the first of them tries. */
  line: object[];
  probing: boolean;
  over: boolean;
  /** Set where it is not waited for any more. */
  failure: ApplicationFailure | null;
  isDue(): boolean;
  msToNextTry(): number;
  beginTry(): void;
  failedAgain(trouble: Trouble): void;
  tryNow(): void;
  told(): Waiting;
}

function createOutage({ thing, what, ...first }: Trouble, firstWaitMs = FIRST_WAIT_MS): Outage {
  const since = Date.now();
  let patientSince = since;
  let { reason: why, until } = first;
  let waitMs = firstWaitMs;
  let nextTry = since;
  /** Somebody asked for a try while one was going on, which may have begun too early. */
  let askedMeanwhile = false;
  /** A task that waits in a queue is a try that goes on. */
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
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
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

/** What every piece of work passes through, so that a run can be paused (decision 4). */
export interface PauseGate {
  readonly paused: boolean;
  /** True where a pause has been asked for, and work that had begun is still going on. */
  readonly draining: boolean;
  pause(): void;
  resume(): void;
  /** Begins the work as soon as the run is not paused; rejects where the run is cancelled while it waits. */
  pass<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** `onChange` is told whenever `paused` or `draining` changes. */
export function createPauseGate(options: { paused: boolean; onChange: () => void }): PauseGate {
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
  /** Milliseconds of run time, those before the last continue-as-new included. */
  activeMs(): number;
  stop(): void;
  start(): void;
  readonly timeIsUp: boolean;
  /** Does the work, and cancels it when the time is up. */
  within<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * `isStill` says whether the run stands still, which is not counted; `limitMs` is the most run time there may be at the moment,
 * and undefined where there is no limit.
 */
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
