import { z } from 'zod';
import { ITEM_KINDS, type Keys } from './keys';
import type { RedisConnection } from './redis-connection';
import { RENEW_ITEMS, RENEW_KEYS } from './scripts/item-scripts';
import { bytes } from './replies';

const ITEMS_A_SCRIPT = 200;

/**
 * Renews the time to live of all that a run has, once a quarter of that time while the run does anything: what it stored at
 * its start and does not read is there at its end, however long it takes.
 */
export interface RunRenewal {
  readonly ttlMs: number;
  /** To be awaited after a script that has said whether a renewal is due. */
  renewIfDue(runId: string, isDue: unknown): Promise<void>;
  /** Renews keys that were used. */
  renewKeys(keys: readonly string[]): Promise<void>;
}

const Page = z.tuple([bytes, z.array(bytes)]);

export function openRunRenewal(
  connection: RedisConnection,
  keys: Keys,
  { ttlMs, now }: { ttlMs: number; now: () => string },
): RunRenewal {
  const renewItems = connection.script(RENEW_ITEMS);
  const renewAll = connection.script(RENEW_KEYS);
  const underWay = new Map<string, Promise<void>>();

  async function renew(runId: string): Promise<void> {
    for (const kind of ITEM_KINDS) {
      let cursor = '0';
      do {
        const at = cursor;
        const page = await connection.ask((redis) =>
          redis.sscanBuffer(keys.held(kind, runId), at, 'COUNT', ITEMS_A_SCRIPT),
        );
        const [next, items] = Page.parse(page);
        if (items.length > 0) await renewItems([], [keys.itemPrefix(kind), ttlMs, now(), ...items]);
        cursor = next.toString();
      } while (cursor !== '0');
    }
    const own = [...ITEM_KINDS.map((kind) => keys.held(kind, runId)), keys.events(runId), keys.log(runId)];
    await renewAll(own, [ttlMs]);
    // Only now: a renewal that was cut short is due still.
    await connection.ask((redis) => redis.set(keys.fresh(runId), '1', 'PX', Math.ceil(ttlMs / 4)));
  }

  return {
    ttlMs,
    async renewIfDue(runId, isDue) {
      if (isDue !== 1) return;
      const name = keys.fresh(runId);
      const renewing = underWay.get(name) ?? renew(runId).finally(() => underWay.delete(name));
      underWay.set(name, renewing);
      await renewing;
    },
    async renewKeys(used) {
      await renewAll(used, [ttlMs]);
    },
  };
}
