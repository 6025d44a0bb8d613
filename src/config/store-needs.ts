import { storeKindsOf, STORE_PORTS } from '../stores/store-kinds';
import { environmentNames, type SettingPath } from './setting-names';

/** What a kind of store cannot do without. */
const NEEDED: Readonly<Partial<Record<string, SettingPath>>> = {
  redis: 'redis.url',
  postgres: 'postgres.url',
};

/** The settings that choose a store. */
export const storePaths = [
  'stores',
  'portStores.content',
  'portStores.derived',
  'portStores.events',
  'portStores.responses',
] as const satisfies readonly SettingPath[];

/** What may be set instead of a store that lacks its address, or with it; null where nothing is lacking. */
export function storeLack(kind: unknown, isGiven: (path: SettingPath) => boolean): string | null {
  const needed = typeof kind === 'string' ? NEEDED[kind] : undefined;
  if (needed === undefined || isGiven(needed)) return null;
  const ready = storeKindsOf('events').filter((other) => NEEDED[other] === undefined);
  return `${ready.join(', ')}, or ${String(kind)} together with ${environmentNames[needed]}`;
}

interface Keeping {
  stores: string;
  portStores: Readonly<Record<(typeof STORE_PORTS)[number], string | null>>;
  redis: { ttlMs: number };
  retention: { keepMs: number | null };
}

/** What the retention may be where Redis would let go of runs before it is over; null where it would not. */
export function retentionLack({ stores, portStores, redis, retention }: Keeping): string | null {
  const isOnRedis = STORE_PORTS.some((port) => (portStores[port] ?? stores) === 'redis');
  if (!isOnRedis || retention.keepMs === null || retention.keepMs < redis.ttlMs) return null;
  return `less than ${redis.ttlMs}, after which Redis lets go of what nobody uses: raise ${environmentNames['redis.ttlMs']} above it`;
}
