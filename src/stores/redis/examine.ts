import type { Redis } from 'ioredis';
import { StoreAwayError } from '../errors/store-away-error';
import type { StoreFinding } from '../stores';
import type { RedisConnection } from './redis-connection';

const OLDEST_VERSION = [6, 2] as const;
const FULL_SOON = 0.8;

/** What a server says of itself: `info` under the names of INFO, `settings` under those of CONFIG. */
interface About {
  info: ReadonlyMap<string, string>;
  settings: ReadonlyMap<string, string>;
}

/** Settings that INFO does not tell. Managed services forbid CONFIG, and say them elsewhere. */
const ONLY_IN_CONFIG = ['save', 'appendfsync'] as const;

/** Whether a server keeps what it is given. */
export async function examineRedis(connection: RedisConnection): Promise<StoreFinding[]> {
  const info = parsedInfo(await connection.ask((redis) => redis.info()));
  const settings = new Map<string, string>();
  for (const name of [...ONLY_IN_CONFIG, 'maxmemory', 'maxmemory-policy']) {
    const value = await connection.ask((redis) => configured(redis, name)).catch(refused);
    if (value !== null) settings.set(name, value);
  }
  const about = { info, settings };
  return [version, cluster, role, eviction, memory, persistence, writing]
    .flatMap((look) => look(about))
    .map(({ level, message }) => ({ level, message: `${connection.where}: ${message}` }));
}

async function configured(redis: Redis, name: string): Promise<string | null> {
  // Redis says CONFIG GET in pairs; ioredis gives them out so under either protocol.
  const reply: unknown = await redis.config('GET', name);
  return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : null;
}

/** An ACL or a managed service forbids CONFIG; a server that is away is another matter. */
function refused(error: unknown): null {
  const isForbidden = /NOPERM|unknown command/i.test(
    error instanceof StoreAwayError ? String(error.cause) : String(error),
  );
  if (!isForbidden) throw error;
  return null;
}

function parsedInfo(text: string): Map<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

const error = (message: string): StoreFinding[] => [{ level: 'error', message }];
const warning = (message: string): StoreFinding[] => [{ level: 'warning', message }];

function version({ info }: About): StoreFinding[] {
  const found = info.get('redis_version');
  if (found === undefined) return warning('its version could not be looked at; it must be 6.2 or newer.');
  const [major = 0, minor = 0] = found.split('.').map(Number);
  const isOld = major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1]);
  return isOld ? error(`it is Redis ${found}: update it to 6.2 or newer.`) : [];
}

function cluster({ info }: About): StoreFinding[] {
  return info.get('cluster_enabled') === '1'
    ? error(
        'it runs in Cluster mode, which is not supported: use a single server, with replicas for fail-over.',
      )
    : [];
}

function role({ info }: About): StoreFinding[] {
  return info.get('role') === 'slave'
    ? error('it is a replica, which takes no writes: let REDIS_URL name the primary.')
    : [];
}

function eviction(about: About): StoreFinding[] {
  const policy = about.info.get('maxmemory_policy') ?? about.settings.get('maxmemory-policy');
  if (policy === undefined)
    return warning('its maxmemory-policy could not be looked at: see that it is noeviction.');
  if (policy === 'noeviction') return [];
  const limit = limitOf(about);
  const when =
    limit === 0
      ? 'no maxmemory is set, so it lets go of nothing yet, and will as soon as one is'
      : limit === null
        ? 'as soon as maxmemory is reached, it lets go of texts and answers that runs need'
        : `maxmemory is ${megabytes(limit)}, and when that is reached it lets go of texts and answers that runs need`;
  return error(`its maxmemory-policy is ${policy}: ${when}. Set maxmemory-policy to noeviction.`);
}

function memory(about: About): StoreFinding[] {
  const limit = limitOf(about);
  const used = Number(about.info.get('used_memory') ?? 0);
  if (limit === null || limit === 0 || used <= limit * FULL_SOON) return [];
  const share = Math.floor((100 * used) / limit);
  return warning(
    `it uses ${share} % of its maxmemory (${megabytes(used)} of ${megabytes(limit)}): raise maxmemory or delete runs. When it is full, runs wait.`,
  );
}

function persistence({ info, settings }: About): StoreFinding[] {
  const appends = info.get('aof_enabled');
  if (appends === '1') return syncing(settings.get('appendfsync'));
  const snapshots = settings.get('save');
  if (appends === undefined || snapshots === undefined)
    return warning(
      'whether it keeps its data over a restart could not be looked at: see that it is set to (appendonly yes, or snapshots).',
    );
  if (snapshots === '')
    return error(
      'it keeps nothing over a restart, neither an append-only file nor snapshots: every run and every paid answer would be lost. Set appendonly yes.',
    );
  return warning(
    `it keeps snapshots only (save ${snapshots}): what came after the last one is lost when it dies, and runs under way with it. Set appendonly yes.`,
  );
}

function syncing(appendfsync: string | undefined): StoreFinding[] {
  if (appendfsync === undefined)
    return warning(
      'how often it flushes its append-only file could not be looked at: see that appendfsync is everysec or always.',
    );
  return appendfsync === 'no'
    ? warning(
        'appendfsync is no: a power cut loses half a minute of work or more. Set it to everysec or always.',
      )
    : [];
}

/** What it says of its last tries to write. */
function writing({ info }: About): StoreFinding[] {
  const failed = [
    ...(info.get('aof_last_write_status') === 'err' ? ['its append-only file'] : []),
    ...(info.get('rdb_last_bgsave_status') === 'err' ? ['its last snapshot'] : []),
  ];
  return failed.flatMap((what) =>
    warning(`it could not write ${what}: look at its log and its disk's free space.`),
  );
}

/** The most memory that it may use in bytes, 0 for no limit; null where that could not be looked at. */
function limitOf({ info, settings }: About): number | null {
  const limit = info.get('maxmemory') ?? settings.get('maxmemory');
  return limit === undefined ? null : Number(limit);
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
