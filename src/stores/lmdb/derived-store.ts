import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RunId } from '../../contracts/run/run';
import type { DerivedStore } from '../derived-store';
import { inParts } from '../in-parts';
import type { StoreEnvironment } from './environment';
import { openHoldings } from './holdings';

export function openDerivedStore(environment: StoreEnvironment): DerivedStore {
  const values = environment.binaryTable('derived');
  const holdings = openHoldings(environment, 'derived');

  async function hold(runId: string, named: readonly { item: string }[]): Promise<void> {
    RunId.parse(runId);
    for (const part of inParts(named, () => 0)) {
      const unheld = environment.read(() => part.filter(({ item }) => !holdings.isHeldBy(runId, item)));
      const isThere = environment.read(() => unheld.some(({ item }) => values.doesExist(item)));
      if (isThere)
        await environment.write(() => {
          for (const { item } of unheld) if (values.doesExist(item)) holdings.hold(runId, item);
        });
      await nextTurn();
    }
  }

  return {
    async hold(runId, keys) {
      const named = namesOf(keys);
      await hold(runId, named);
      return environment
        .read(() => named.filter(({ item }) => !values.doesExist(item)))
        .map(({ key }) => key);
    },
    async get(runId, keys) {
      const named = namesOf(keys);
      await hold(runId, named);
      const found = new Map<string, Uint8Array>();
      for (const { key, item } of named) {
        const value = environment.read(() => values.get(item));
        // A copy: what lmdb hands out may lie in a buffer that it uses again.
        if (value !== undefined) found.set(key, Uint8Array.from(value));
      }
      return found;
    },
    async put(runId, given) {
      RunId.parse(runId);
      for (const part of inParts(given, ([, bytes]) => bytes.byteLength)) {
        await environment.write(() => {
          for (const [key, bytes] of part) {
            // A write in a transaction is not awaited: it fares as the transaction does, whose promise is.
            void values.put(digest(key), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
            holdings.hold(runId, digest(key));
          }
        });
        await nextTurn();
      }
    },
    async clearRun(runId) {
      return holdings.releaseRun(runId, (item) => void values.remove(item));
    },
  };
}

function namesOf(keys: readonly string[]): { key: string; item: string }[] {
  return [...new Set(keys)].map((key) => ({ key, item: digest(key) }));
}

/** Keys may be longer than lmdb's can be (1,978 bytes), and may hold any character. */
function digest(key: string): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
