import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SharedLimits } from '../shared-limits';
import type { StoreEnvironment } from './environment';

const Slot = z.object({ owner: z.string(), expiresAt: z.number() });
type Slot = z.infer<typeof Slot>;

export function openSharedLimits(environment: StoreEnvironment, now: () => number): SharedLimits {
  const turns = environment.jsonTable('limit-turns', z.number());
  const slots = environment.jsonTable('limit-slots', z.array(Slot));

  // What cannot be read is forgotten, as these limits may be.
  const current = (name: string): Slot[] => {
    const held = slots.get(name);
    return held === 'damaged' || held === undefined ? [] : held.filter(({ expiresAt }) => expiresAt > now());
  };
  const following = (name: string): number => {
    const turn = turns.get(name);
    return typeof turn === 'number' ? turn : 0;
  };

  return {
    async takeTurn(name, perSecond) {
      const key = digest(name);
      return environment.write(() => {
        const turn = Math.max(now(), following(key));
        turns.put(key, turn + 1_000 / perSecond);
        return turn - now();
      });
    },
    async acquireSlot(name, owner, { slots: most, ttlMs }) {
      const key = digest(name);
      return environment.write(() => {
        const others = current(key).filter((slot) => slot.owner !== owner);
        if (others.length >= most) return false;
        slots.put(key, [...others, { owner, expiresAt: now() + ttlMs }]);
        return true;
      });
    },
    async releaseSlot(name, owner) {
      const key = digest(name);
      await environment.write(() => {
        slots.put(
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
