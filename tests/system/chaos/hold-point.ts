import type { Part } from '../../support/kills/part';
import type { KillableInstallation } from './installation';
import type { Point } from './plan';
import type { WatchedRun } from './watched-run';

/** Work that is held at a point of a run. */
export interface Holding {
  /** The workers that hold work of the run; nobody while `preferred` may still come to hold some. */
  holders(preferred: Part): Promise<Part[]>;
  /** What was seen of the run there. */
  seen(): string;
  /** Since when the stores take no writes, in milliseconds since 1970; null where they do. */
  noWritesSince(): number | null;
  letGo(): Promise<void>;
}

/** Longer than anything is held. */
const HELD_MS = 600_000;

/** Takes effect at once, before the run has come there. */
export function holdPoint(installation: KillableInstallation, run: WatchedRun, point: Point): Holding {
  return point.held === 'calls' ? holdCalls(installation, run, point) : holdWrites(installation, run, point);
}

function holdCalls(
  { bench, model, workers }: KillableInstallation,
  run: WatchedRun,
  point: Extract<Point, { held: 'calls' }>,
): Holding {
  const { step, after, at, told } = point;
  const letGo = model.hold({ runId: run.runId, step, after, at });
  const held = () =>
    model.calls.filter((call) => call.isHeld && call.runId === run.runId && call.step === step);
  return {
    noWritesSince: () => null,
    letGo: async () => letGo(),
    seen: () =>
      `${told === undefined ? '' : `\`${told}\` told and `}${held().length} × \`${step}\` held${at === 'halfway' ? ' half told' : ''}`,
    async holders(preferred) {
      if (told !== undefined && !run.followed.events.some(({ type }) => type === told)) return [];
      const names = new Set(held().map(({ worker }) => worker));
      const holders = workers.filter(({ name }) => names.has(name));
      if (holders.length === 0 || holders.includes(preferred)) return holders;
      const pending = await bench.pending(run.runId);
      return pending.every(({ isStarted }) => isStarted) && pending.length <= held().length ? holders : [];
    },
  };
}

function holdWrites(
  { bench, workers, redis }: KillableInstallation,
  run: WatchedRun,
  { event }: Extract<Point, { held: 'writes' }>,
): Holding {
  let held: Promise<void> | null = null;
  let since: number | null = null;
  let activities: string[] = [];
  const hold = async (): Promise<void> => {
    await run.seen(event);
    since = Date.now();
    await redis.command('CLIENT', 'PAUSE', String(HELD_MS), 'WRITE');
  };
  return {
    noWritesSince: () => since,
    async letGo() {
      await redis.command('CLIENT', 'UNPAUSE');
    },
    seen: () => `\`${event}\` told and ${activities.map((type) => `\`${type}\``).join(', ')} held`,
    async holders() {
      // Not before its turn: a worker that is started again meanwhile has to be able to write.
      held ??= hold();
      await Promise.race([held, run.ended]);
      const started = (await bench.pending(run.runId)).filter(({ isStarted }) => isStarted);
      activities = [...new Set(started.map(({ type }) => type))];
      return workers.filter(({ pid }) => started.some((activity) => activity.pid === pid));
    },
  };
}
