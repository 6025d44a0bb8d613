import { digest } from './keys';
import type { DerivedStore } from '../derived-store';
import type { Items } from './items';

export function openDerivedStore(items: Items): DerivedStore {
  return {
    async hold(runId, keys) {
      const named = namesOf(keys);
      const absent = new Set(await items.hold(runId, [...named.values()]));
      return [...named].filter(([, name]) => absent.has(name)).map(([key]) => key);
    },
    async get(runId, keys) {
      const named = namesOf(keys);
      const taken = await items.take(runId, [...named.values()]);
      const found = new Map<string, Uint8Array>();
      for (const [key, name] of named) {
        const value = taken.get(name);
        // A copy: the client's bytes may lie in a buffer with those of other answers.
        if (value !== undefined) found.set(key, Uint8Array.from(value));
      }
      return found;
    },
    async put(runId, given) {
      await items.put(
        runId,
        [...given].map(([key, { buffer, byteOffset, byteLength }]) => [
          digest(key),
          Buffer.from(buffer, byteOffset, byteLength),
        ]),
      );
    },
    clearRun: (runId) => items.releaseRun(runId),
  };
}

/** The name of each key, once. */
function namesOf(keys: readonly string[]): Map<string, string> {
  return new Map(keys.map((key) => [key, digest(key)]));
}
