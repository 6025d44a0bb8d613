import type { TellDamage } from './damage-warnings';
import type { DerivedStore } from './derived-store';
import { entryName, sealed, unsealed } from './seal';

/** The store over one that keeps bytes: what is there and is not what was put there counts as absent. */
export function sealedDerivedStore(kept: DerivedStore, tell: TellDamage): DerivedStore {
  return {
    async get(runId, keys) {
      const wanted = new Set(keys);
      const envelopes = await kept.get(runId, [...wanted].map(entryName));
      const values = new Map<string, Uint8Array>();
      const damaged: string[] = [];
      for (const key of wanted) {
        const envelope = envelopes.get(entryName(key));
        if (envelope === undefined) continue;
        const value = unsealed('derived', key, envelope);
        if (value === null) damaged.push(key);
        else values.set(key, value);
      }
      if (damaged.length > 0) await tell({ kind: 'derived', keys: damaged, runId });
      return values;
    },
    async put(runId, values) {
      const envelopes = Array.from(
        values,
        ([key, value]) => [entryName(key), sealed('derived', key, value)] as const,
      );
      await kept.put(runId, new Map(envelopes));
    },
    async hold(runId, keys) {
      const absent = new Set(await kept.hold(runId, keys.map(entryName)));
      return [...new Set(keys)].filter((key) => absent.has(entryName(key)));
    },
    clearRun: (runId) => kept.clearRun(runId),
  };
}
