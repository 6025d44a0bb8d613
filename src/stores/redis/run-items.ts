import { z } from 'zod';
import { RunId } from '../../contracts/run/run';
import { inParts } from '../in-parts';
import type { ItemKind, RunItems } from '../run-items';
import { runKey } from '../run-key';
import type { Keys } from './keys';
import { bytes, type RedisConnection } from './redis-connection';
import { CLEAR_ITEMS, HOLD_ITEMS, PUT_ITEMS, READ_ITEMS } from './scripts';

/** A script takes items up to these limits, so that the server's other clients wait a millisecond or two. */
const A_SCRIPT = { items: 200, size: 4_000_000 };
const A_READ = { items: 50, size: 0 };

const Values = z.array(z.union([bytes, z.null()]));
const Flags = z.array(z.number());

/** An item is a hash in which each run has its own field; a set names the items of a run. Both end after the time to live. */
export function openRunItems(
  connection: RedisConnection,
  { keys, ttlMs, kind }: { keys: Keys; ttlMs: number; kind: ItemKind },
): RunItems {
  const prefix = keys.itemPrefix(kind);
  const putItems = connection.script(PUT_ITEMS);
  const readItems = connection.script(READ_ITEMS);
  const holdItems = connection.script(HOLD_ITEMS);
  const clearItems = connection.script(CLEAR_ITEMS);
  return {
    async put(runId, values) {
      const run = runKey(runId);
      for (const part of inParts(values, ([, value]) => value.byteLength, A_SCRIPT)) {
        const given = part.flatMap(([name, { buffer, byteOffset, byteLength }]) => [
          name,
          Buffer.from(buffer, byteOffset, byteLength),
        ]);
        await putItems([keys.itemsOf(kind, runId)], [prefix, ttlMs, run, ...given]);
      }
    },
    async read(names) {
      const found = new Map<string, Buffer>();
      for (const part of inParts(names, () => 0, A_READ)) {
        const values = Values.parse(await readItems([], [prefix, ttlMs, ...part]));
        part.forEach((name, at) => {
          const value = values[at] ?? null;
          if (value !== null) found.set(name, value);
        });
      }
      return found;
    },
    async hold(runId, names) {
      const run = runKey(runId);
      const missing: string[] = [];
      for (const part of inParts(names, () => 0, A_SCRIPT)) {
        const given = [prefix, ttlMs, run, ...part];
        const found = Flags.parse(await holdItems([keys.itemsOf(kind, runId)], given));
        missing.push(...part.filter((_, at) => found[at] === 0));
      }
      return missing;
    },
    async clearRun(runId) {
      const run = runKey(RunId.parse(runId));
      let cleared = 0;
      for (;;) {
        const given = [prefix, run, A_SCRIPT.items];
        const part = z.number().parse(await clearItems([keys.itemsOf(kind, runId)], given));
        cleared += part;
        if (part < A_SCRIPT.items) return cleared;
      }
    },
  };
}
