import { createHash } from 'node:crypto';
import type { SharedLimits } from '../shared-limits';
import type { StoreEnvironment } from './environment';

interface Slot {
  owner: string;
  expiresAt: number;
}

export function openSharedLimits(environment: StoreEnvironment, now: () => number): SharedLimits {
  const turns = environment.jsonTable<number>('limit-turns');
  const slots = environment.jsonTable<Slot[]>('limit-slots');

  const current = (name: string): Slot[] =>
    (slots.get(name) ?? []).filter(({ expiresAt }) => expiresAt > now());

  return {
    async takeTurn(name, perSecond) {
      const key = digest(name);
      return environment.write(() => {
        const turn = Math.max(now(), turns.get(key) ?? 0);
        // A write in a transaction is not awaited: it fares as the transaction does, whose promise is.
        void turns.put(key, turn + 1_000 / perSecond);
        return turn - now();
      });
    },
    async acquireSlot(name, owner, { slots: most, ttlMs }) {
      const key = digest(name);
      return environment.write(() => {
        const others = current(key).filter((slot) => slot.owner !== owner);
        if (others.length >= most) return false;
        void slots.put(key, [...others, { owner, expiresAt: now() + ttlMs }]);
        return true;
      });
    },
    async releaseSlot(name, owner) {
      const key = digest(name);
      await environment.write(() => {
        void slots.put(
          key,
          current(key).filter((slot) => slot.owner !== owner),
        );
      });
    },
  };
}

/** Names may be longer than lmdb's keys can be (1,978 bytes), and may hold any character. */
function digest(name: string): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('hex');
}
