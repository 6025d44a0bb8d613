import { z } from 'zod';
import { RunId } from '../../contracts/run/run';
import { inParts } from '../in-parts';
import { runKey } from '../run-key';
import type { ItemKind, Keys } from './keys';
import type { RedisConnection } from './redis-connection';
import { bytes } from './replies';
import type { RunRenewal } from './run-renewal';
import { HOLD_ITEMS, PUT_ITEMS, RELEASE_ITEMS } from './scripts/item-scripts';

/** A script takes items up to these limits, so that the server's other clients wait a millisecond or two. */
const A_SCRIPT = { items: 200, size: 4_000_000 };

/** What runs hold: each item under its name, until no run holds it any more, or nobody uses it for the time to live. */
export interface Items {
  /** Has the run hold what is there; resolves with those that are not. */
  hold(runId: string, names: readonly string[]): Promise<string[]>;
  /** As `hold`; resolves with the values that are there, without bytes where a key is of another type. */
  take(runId: string, names: readonly string[]): Promise<Map<string, Buffer>>;
  /** Stores values for the run, in the place of what was there. With `lastsMs` they end by themselves. */
  put(
    runId: string,
    values: readonly (readonly [string, Buffer])[],
    options?: { lastsMs?: number },
  ): Promise<void>;
  /**
   * Ends all holds that the run has, and deletes what no other run holds. Interrupted, it leaves the rest held; calling it
   * again goes on.
   */
  releaseRun(runId: string): Promise<{ deleted: number; kept: number }>;
}

const Held = z.array(z.union([z.number(), bytes, z.null()]));
const Released = z.tuple([z.number(), z.number(), z.number()]);

export function openItems(options: {
  connection: RedisConnection;
  keys: Keys;
  renewal: RunRenewal;
  kind: ItemKind;
  now: () => string;
}): Items {
  const { connection, keys, renewal, kind, now } = options;
  const prefix = keys.itemPrefix(kind);
  // A response has beside its value when it was stored and when it ends; every version counts the same.
  const ownFields = kind === 'responses' ? 3 : 1;
  const holdItems = connection.script(HOLD_ITEMS);
  const putItems = connection.script(PUT_ITEMS);
  const releaseItems = connection.script(RELEASE_ITEMS);

  const holder = (runId: string): string => `>${runKey(RunId.parse(runId))}`;
  const keysOfRun = (runId: string): string[] => [keys.held(kind, runId), keys.fresh(runId)];

  async function lookUp(runId: string, names: readonly string[], mode: 'hold' | 'take'): Promise<unknown[]> {
    const given = [prefix, holder(runId), renewal.ttlMs, now(), mode];
    const [isDue, ...found] = Held.parse(await holdItems(keysOfRun(runId), [...given, ...names]));
    await renewal.renewIfDue(runId, isDue);
    return found;
  }

  return {
    async hold(runId, names) {
      RunId.parse(runId);
      const missing: string[] = [];
      for (const part of inParts(names, () => 0, A_SCRIPT)) {
        const found = await lookUp(runId, part, 'hold');
        missing.push(...part.filter((_, at) => found[at] === null));
      }
      return missing;
    },
    async take(runId, names) {
      RunId.parse(runId);
      const taken = new Map<string, Buffer>();
      for (const part of inParts(names, () => A_SCRIPT.size / 50, A_SCRIPT)) {
        const found = await lookUp(runId, part, 'take');
        part.forEach((name, at) => {
          const value = found[at];
          if (Buffer.isBuffer(value)) taken.set(name, value);
        });
      }
      return taken;
    },
    async put(runId, values, { lastsMs } = {}) {
      RunId.parse(runId);
      for (const part of inParts(values, ([, value]) => value.byteLength, A_SCRIPT)) {
        const given = [prefix, holder(runId), renewal.ttlMs, now(), lastsMs ?? ''];
        const isDue = await putItems(keysOfRun(runId), [...given, ...part.flat()]);
        await renewal.renewIfDue(runId, isDue);
      }
    },
    async releaseRun(runId) {
      const total = { deleted: 0, kept: 0 };
      const key = keys.held(kind, RunId.parse(runId));
      const held = await connection.ask((redis) => redis.scard(key));
      // No more than it held at first: this ends even while the same run stores more.
      for (let done = 0; done < held;) {
        const given = [prefix, holder(runId), ownFields, A_SCRIPT.items];
        const [looked, deleted, kept] = Released.parse(await releaseItems([key], given));
        total.deleted += deleted;
        total.kept += kept;
        done += looked;
        if (looked === 0) break;
      }
      return total;
    },
  };
}
