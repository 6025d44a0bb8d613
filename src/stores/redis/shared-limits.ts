import type { SharedLimits } from '../shared-limits';
import type { Keys } from './keys';
import type { RedisConnection } from './redis-connection';
import { ACQUIRE_SLOT, TAKE_TURN } from './scripts/limit-scripts';

export function openSharedLimits(connection: RedisConnection, keys: Keys, now: () => string): SharedLimits {
  const takeTurn = connection.script(TAKE_TURN);
  const acquireSlot = connection.script(ACQUIRE_SLOT);
  return {
    takeTurn: async (name, perSecond) =>
      Number(String(await takeTurn([keys.turn(name)], [now(), 1_000 / perSecond]))),
    acquireSlot: async (name, owner, { slots, ttlMs }) =>
      (await acquireSlot([keys.slots(name)], [now(), owner, slots, ttlMs])) === 1,
    async releaseSlot(name, owner) {
      await connection.ask((redis) => redis.zrem(keys.slots(name), owner));
    },
  };
}
