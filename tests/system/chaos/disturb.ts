import type { Killable, Part } from '../../support/kills/part';
import type { RedisServer } from '../../support/services/redis-server';
import { until } from '../../support/until';
import type { Holding } from './hold-point';
import type { KillableInstallation } from './installation';
import type { Disturbance } from './plan';
import type { WatchedRun } from './watched-run';

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

/** Until a point is reached, and until a run goes on. */
const LIMIT_MS = 240_000;

/** Waits for the point, disturbs, and waits until the run goes on; null where the run has ended before. */
export async function disturb(
  installation: KillableInstallation,
  run: WatchedRun,
  { what, goesOn, point }: Disturbance,
  holding: Holding,
): Promise<Disturbed | null> {
  const preferred = leastKilled(installation);
  const holders = await until(
    async () => (run.isOver() ? null : holding.holders(preferred)),
    (held) => held === null || held.length > 0,
    LIMIT_MS,
  );
  const [first] = holders ?? [];
  if (holders === null || first === undefined) {
    await holding.letGo();
    return null;
  }
  // Where Redis is what is away, there is nothing that it holds.
  const letGo = (): Promise<void> => holding.letGo().catch(() => undefined);
  const seen = holding.seen();
  const target = targetOf(installation, run, what, holders.includes(preferred) ? preferred : first);
  const isGoneOn = goesOnBehind(run);
  const at = Date.now();
  await target.kill();
  // Who starts where no writes are taken gives up, as it should: what holds writes is let go at once.
  if (goesOn === 'meanwhile' || point.held === 'writes') await letGo();
  if (goesOn === 'meanwhile') await target.whileAway();
  await target.restart();
  await letGo();
  const backAt = Date.now();
  await isGoneOn();
  const { name: part } = target;
  const isKill = what.startsWith('kill ');
  if (isKill) installation.kills.set(part, (installation.kills.get(part) ?? 0) + 1);
  const noWritesSince = holding.noWritesSince();
  return { runId: run.runId, part, seen, goesOn, isKill, noWritesSince, at, backAt, goneOnAt: Date.now() };
}

function leastKilled({ workers, kills }: KillableInstallation): Part {
  return workers.reduce((one, other) =>
    (kills.get(other.name) ?? 0) < (kills.get(one.name) ?? 0) ? other : one,
  );
}

/** Resolves when the run's log has something that it has not now. */
function goesOnBehind(run: WatchedRun): () => Promise<unknown> {
  const before = run.followed.events.length;
  return () =>
    until(
      async () => run.isOver() || run.followed.events.length > before,
      (isSo) => isSo,
      LIMIT_MS,
    );
}

interface Target extends Killable {
  name: string;
  /** Until others have gone on without it, or have noticed. */
  whileAway(): Promise<unknown>;
}

function targetOf(
  { bench, model, redis }: KillableInstallation,
  run: WatchedRun,
  what: Disturbance['what'],
  holder: Part,
): Target {
  /** Nothing is held any more, so that answers have left. */
  const whileAway = (): Promise<unknown> =>
    until(
      async () =>
        model.calls.some(
          ({ runId, answeredAt, isCutOff }) => runId === run.runId && answeredAt === null && !isCutOff,
        ),
      (isAnswering) => !isAnswering,
    );
  const { restart } = redis;
  switch (what) {
    case 'kill worker':
      return { ...holder, whileAway: goesOnBehind(run) };
    case 'kill server':
      return { ...bench.server, name: 'server', whileAway };
    case 'kill redis':
      return { ...redis, name: 'redis', whileAway };
    case 'restart redis': {
      // It answers by going away.
      const kill = (): Promise<unknown> => redis.command('SHUTDOWN').catch(() => undefined);
      return { name: 'redis restarted', kill, whileAway, restart };
    }
    case 'fill redis':
      return {
        name: 'redis filled up',
        kill: () => fill(redis),
        whileAway: () =>
          until(
            () => run.run.progress(),
            ({ status, waiting }) => status === 'waiting' && waiting !== null,
            LIMIT_MS,
          ),
        restart: () => redis.configure('maxmemory', '0'),
      };
  }
}

/** There is no room for anything more. */
async function fill(redis: RedisServer): Promise<void> {
  const memory = String(await redis.command('INFO', 'memory'));
  const used = Number(/^used_memory:(\d+)/m.exec(memory)?.[1] ?? '1');
  // A little less: what clients have sent and not been answered yet counts as well, and comes and goes.
  await redis.configure('maxmemory', String(Math.ceil(used * 0.9)));
}
