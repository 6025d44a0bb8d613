import { until } from '../../support/until';
import type { HeldPoint } from './hold-point';
import type { Installation } from './installation';
import type { Disturbance } from './plan';
import type { WatchedRun } from './watched-run';
import type { WorkerProcess } from './worker-process';

/** What was done to a run and seen of it. Times are milliseconds since 1970. */
export interface Disturbed {
  runId: string;
  /** `worker-a`, `redis`, `server`, or what was done to Redis without killing it. */
  part: string;
  /** What was seen before. */
  seen: string;
  goesOn: Disturbance['goesOn'];
  isKill: boolean;
  /** Since when the stores took no writes; null where they did. */
  noWritesSince: number | null;
  at: number;
  /** When the part was there again. */
  backAt: number;
  /** When the run's log had something new. */
  goneOnAt: number;
}

const RECOVERY_MS = 240_000;

/** Waits for the point, disturbs, and waits until the run goes on; null where the run has ended before. */
export async function disturb(
  installation: Installation,
  run: WatchedRun,
  { what, goesOn, point: where }: Disturbance,
  point: HeldPoint,
): Promise<Disturbed | null> {
  const preferred = leastKilled(installation);
  const reached = await point.reached(preferred);
  if (reached === null) {
    await point.letGo();
    return null;
  }
  const seenBefore = run.followed.events.length;
  const part = partOf(installation, run, what, reached.holder);
  const at = Date.now();
  await part.takeAway();
  // Who starts where no writes are taken gives up, as it should: what holds writes is let go at once.
  if (goesOn === 'meanwhile' || where.held === 'writes') await letGo(point);
  if (goesOn === 'meanwhile') await part.whileAway();
  await part.giveBack();
  await letGo(point);
  const backAt = Date.now();
  await until(
    async () => run.isOver() || run.followed.events.length > seenBefore,
    (goesOnNow) => goesOnNow,
    RECOVERY_MS,
  );
  const isKill = what.startsWith('kill ');
  if (isKill) installation.kills.set(part.name, (installation.kills.get(part.name) ?? 0) + 1);
  return {
    runId: run.runId,
    part: part.name,
    seen: reached.told,
    goesOn,
    isKill,
    noWritesSince: reached.noWritesSince,
    at,
    backAt,
    goneOnAt: Date.now(),
  };
}

/** Where Redis is what is away, there is nothing that it holds. */
async function letGo(point: HeldPoint): Promise<void> {
  await point.letGo().catch(() => undefined);
}

function leastKilled({ stand, kills }: Installation): WorkerProcess {
  return stand.workers.reduce((one, other) =>
    (kills.get(other.name) ?? 0) < (kills.get(one.name) ?? 0) ? other : one,
  );
}

interface Part {
  name: string;
  takeAway(): Promise<void>;
  /** Until others have gone on without it, or have noticed. */
  whileAway(): Promise<unknown>;
  giveBack(): Promise<void>;
}

function partOf(
  { stand, redis }: Installation,
  run: WatchedRun,
  what: Disturbance['what'],
  holder: WorkerProcess,
): Part {
  const callsOf = () => stand.model.calls.filter(({ runId }) => runId === run.runId);
  /** Nothing is held any more, so that answers have left. */
  const answersLeft = () =>
    until(
      async () => callsOf().some(({ answeredAt, isCutOff }) => answeredAt === null && !isCutOff),
      (isAnswering) => !isAnswering,
    );
  switch (what) {
    case 'kill worker': {
      const events = run.followed.events.length;
      return {
        name: holder.name,
        takeAway: () => holder.kill(),
        whileAway: () =>
          until(
            async () => run.isOver() || run.followed.events.length > events,
            (isTakenOver) => isTakenOver,
            RECOVERY_MS,
          ),
        giveBack: () => holder.start(),
      };
    }
    case 'kill redis':
      return {
        name: 'redis',
        takeAway: () => redis.kill(),
        whileAway: answersLeft,
        giveBack: () => redis.start(),
      };
    case 'restart redis':
      return {
        name: 'redis restarted',
        takeAway: () => redis.shutDown(),
        whileAway: answersLeft,
        giveBack: () => redis.start(),
      };
    case 'kill server':
      return {
        name: 'server',
        takeAway: () => stand.server.kill(),
        whileAway: answersLeft,
        giveBack: () => stand.server.restart(),
      };
    case 'fill redis':
      return {
        name: 'redis filled up',
        takeAway: () => redis.fill(),
        whileAway: () =>
          until(
            () => run.run.progress(),
            ({ status, waiting }) => status === 'waiting' && waiting !== null,
            RECOVERY_MS,
          ),
        giveBack: () => redis.makeRoom(),
      };
  }
}
