import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RunId } from '../../contracts/run/run';
import type { DerivedStore } from '../derived-store';
import type { StoreEnvironment } from './environment';
import { openHoldings } from './holdings';

/** A transaction takes values up to these limits, so that other writers are spared. */
const MAX_VALUES_A_TRANSACTION = 500;
const MAX_BYTES_A_TRANSACTION = 4_000_000;

export function openDerivedStore(environment: StoreEnvironment): DerivedStore {
  const values = environment.binaryTable('derived');
  const holdings = openHoldings(environment, 'derived');

  async function hold(runId: string, named: readonly { item: string }[]): Promise<void> {
    RunId.parse(runId);
    for (let from = 0; from < named.length; from += MAX_VALUES_A_TRANSACTION) {
      const part = named.slice(from, from + MAX_VALUES_A_TRANSACTION);
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
      for (const part of inParts(given)) {
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

function* inParts(given: ReadonlyMap<string, Uint8Array>): Generator<[string, Uint8Array][]> {
  let part: [string, Uint8Array][] = [];
  let bytes = 0;
  for (const entry of given) {
    const size = entry[1].byteLength;
    if (
      part.length === MAX_VALUES_A_TRANSACTION ||
      (part.length > 0 && bytes + size > MAX_BYTES_A_TRANSACTION)
    ) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(entry);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
