import { environmentNames, type SettingPath } from './setting-names';

/** What may be chosen instead of Redis without an address; null where nothing is lacking. */
export function storeLack(stores: unknown, isGiven: (path: SettingPath) => boolean): string | null {
  if (stores !== 'redis' || isGiven('redis.url')) return null;
  return `lmdb, or redis together with ${environmentNames['redis.url']}`;
}

interface Keeping {
  stores: string;
  redis: { ttlMs: number };
  retention: { keepMs: number | null };
}

/** What the retention may be where Redis would let go of runs before it is over; null where it would not. */
export function retentionLack({ stores, redis, retention }: Keeping): string | null {
  if (stores !== 'redis' || retention.keepMs === null || retention.keepMs < redis.ttlMs) return null;
  return `less than ${redis.ttlMs}, after which Redis lets go of what nobody uses: raise ${environmentNames['redis.ttlMs']} above it`;
}
