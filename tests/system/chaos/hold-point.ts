import { until } from '../../support/until';
import type { Installation } from './installation';
import type { Point } from './plan';
import type { WatchedRun } from './watched-run';
import type { WorkerProcess } from './worker-process';

/** Work that is held at a point of a run. */
export interface HeldPoint {
  /**
   * Resolves when the point was reached and work is held, with the worker that holds some of it, `preferred` where it does;
   * null where the run has ended without.
   */
  reached(preferred: WorkerProcess): Promise<Reached | null>;
  /** Lets go what is held. */
  letGo: () => Promise<void>;
}

export interface Reached {
  holder: WorkerProcess;
  told: string;
  /** Since when the stores take no writes, in milliseconds since 1970; null where they do. */
  noWritesSince: number | null;
}

/** Takes effect at once, before the run has come there. */
export function holdPoint(installation: Installation, run: WatchedRun, point: Point): HeldPoint {
  const holding =
    point.held === 'calls' ? heldCalls(installation, run, point) : heldWrites(installation, run, point);
  return {
    letGo: holding.letGo,
    async reached(preferred) {
      const held = await until(
        async () => (run.isOver() ? { holders: null } : { holders: await holding.holders(preferred) }),
        ({ holders }) => holders === null || holders.length > 0,
        REACHED_LIMIT_MS,
      );
      const [first] = held.holders ?? [];
      if (first === undefined) return null;
      const holder = held.holders?.includes(preferred) === true ? preferred : first;
      return { holder, told: holding.told(), noWritesSince: holding.noWritesSince() };
    },
  };
}

const REACHED_LIMIT_MS = 240_000;

interface Holding {
  /** The workers that hold work of the run; nobody while `preferred` may still come to hold some. */
  holders(preferred: WorkerProcess): Promise<WorkerProcess[]>;
  told: () => string;
  noWritesSince: () => number | null;
  letGo: () => Promise<void>;
}

function heldCalls(
  { stand }: Installation,
  run: WatchedRun,
  point: Extract<Point, { held: 'calls' }>,
): Holding {
  const { step, after, at, told } = point;
  const letGo = stand.model.hold({ runId: run.runId, step, after, at });
  const held = () =>
    stand.model.calls.filter((call) => call.isHeld && call.runId === run.runId && call.step === step);
  return {
    noWritesSince: () => null,
    async letGo() {
      letGo();
    },
    told: () =>
      `${told === undefined ? '' : `\`${told}\` told and `}${held().length} × \`${step}\` held${at === 'halfway' ? ' half told' : ''}`,
    async holders(preferred) {
      if (told !== undefined && !run.followed.events.some(({ type }) => type === told)) return [];
      const names = new Set(held().map(({ worker }) => worker));
      const holders = stand.workers.filter(({ name }) => names.has(name));
      if (holders.length === 0 || holders.includes(preferred)) return holders;
      const pending = await stand.pending(run.runId);
      return pending.every(({ isStarted }) => isStarted) && pending.length <= held().length ? holders : [];
    },
  };
}

function heldWrites(
  { stand, redis }: Installation,
  run: WatchedRun,
  { event }: Extract<Point, { held: 'writes' }>,
): Holding {
  let held: Promise<void> | null = null;
  let since: number | null = null;
  let activities: string[] = [];
  const hold = async (): Promise<void> => {
    await run.seen(event);
    since = Date.now();
    await redis.holdWrites();
  };
  return {
    noWritesSince: () => since,
    async letGo() {
      await redis.takeWrites();
    },
    told: () => `\`${event}\` told and ${activities.map((type) => `\`${type}\``).join(', ')} held`,
    async holders() {
      // Not before its turn: a worker that is started again meanwhile has to be able to write.
      held ??= hold();
      await Promise.race([held, run.ended]);
      const started = (await stand.pending(run.runId)).filter(({ isStarted }) => isStarted);
      activities = [...new Set(started.map(({ type }) => type))];
      return stand.workers.filter(({ pid }) => started.some((activity) => activity.pid === pid));
    },
  };
}
