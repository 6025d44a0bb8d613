import { createHash } from 'node:crypto';
import { RunId } from '../../contracts/run/run';
import type { DerivedStore } from '../derived-store';
import { inParts } from '../in-parts';
import type { StoreDatabase } from './database';
import { openHeldValues } from './held-values';

/** Their sizes are not known before they are there. */
const VALUES_AN_ANSWER = 50;

export function openDerivedStore(database: StoreDatabase): DerivedStore {
  const values = openHeldValues(database, 'derived');

  async function hold(runId: string, items: readonly string[]): Promise<Set<string>> {
    RunId.parse(runId);
    const held = new Set<string>();
    for (const part of inParts(items, () => 0))
      for (const item of await values.hold(runId, part)) held.add(item);
    return held;
  }

  return {
    async hold(runId, keys) {
      const held = await hold(runId, keys.map(digest));
      return [...new Set(keys)].filter((key) => !held.has(digest(key)));
    },
    async get(runId, keys) {
      const keyByItem = new Map(keys.map((key) => [digest(key), key]));
      const held = [...(await hold(runId, [...keyByItem.keys()]))];
      const found = new Map<string, Uint8Array>();
      for (let from = 0; from < held.length; from += VALUES_AN_ANSWER)
        for (const [item, value] of await values.read(held.slice(from, from + VALUES_AN_ANSWER)))
          // A copy: several values of an answer lie in one buffer.
          found.set(keyByItem.get(item) ?? item, Uint8Array.from(value));
      return found;
    },
    async put(runId, given) {
      RunId.parse(runId);
      for (const part of inParts(given, ([, bytes]) => bytes.byteLength)) {
        const sized = part.map(([key, { buffer, byteOffset, byteLength }]) => {
          const value = Buffer.from(buffer, byteOffset, byteLength);
          return [digest(key), { value, size: byteLength }] as const;
        });
        await values.replace(runId, new Map(sized));
      }
    },
    async clearRun(runId) {
      return values.clearRun(RunId.parse(runId));
    },
  };
}

/** Keys may be of any length, and may hold any character. */
function digest(key: string): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
