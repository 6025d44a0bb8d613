import { z } from 'zod';
import type { StoreEnvironment } from './environment';
import { runKey } from '../run-key';

/** How many holds end in one transaction, so that clearing a large run does not keep other writers waiting. */
const RELEASES_A_TRANSACTION = 500;

/** Which runs hold which items; runs by their ids, items by names without a slash. */
export interface Holdings {
  /** Only within a transaction. */
  hold(runId: string, item: string): void;
  isHeldBy(runId: string, item: string): boolean;
  /**
   * Ends all holds that the run has, and calls `remove`, in the same transaction, for each item that no run holds any
   * more. Interrupted, it leaves the rest held; calling it again goes on.
   */
  releaseRun(runId: string, remove: (item: string) => void): Promise<{ deleted: number; kept: number }>;
}

export function openHoldings(environment: StoreEnvironment, name: string): Holdings {
  const itemsByRun = environment.jsonTable(`${name}-by-run`, z.literal(1));
  const runsByItem = environment.jsonTable(`${name}-runs`, z.literal(1));

  function isHeld(item: string): boolean {
    return runsByItem.getKeys({ ...keysBelow(item), limit: 1 }).length > 0;
  }

  return {
    hold(runId, item) {
      const run = runKey(runId);
      itemsByRun.put(`${run}/${item}`, 1);
      runsByItem.put(`${item}/${run}`, 1);
    },
    isHeldBy: (runId, item) => itemsByRun.doesExist(`${runKey(runId)}/${item}`),
    async releaseRun(runId, remove) {
      const run = runKey(runId);
      const total = { deleted: 0, kept: 0 };
      let start = keysBelow(run).start;
      for (;;) {
        const part = await environment.write(() => {
          const range = { ...keysBelow(run), start, limit: RELEASES_A_TRANSACTION };
          const keys = itemsByRun.getKeys(range);
          let deleted = 0;
          for (const key of keys) {
            const item = key.slice(run.length + 1);
            itemsByRun.remove(key);
            runsByItem.remove(`${item}/${run}`);
            if (isHeld(item)) continue;
            remove(item);
            deleted += 1;
          }
          return { keys, deleted };
        });
        total.deleted += part.deleted;
        total.kept += part.keys.length - part.deleted;
        // Going on behind the last key ends even while the same run stores more.
        start = part.keys.at(-1) ?? start;
        if (part.keys.length < RELEASES_A_TRANSACTION) return total;
      }
    },
  };
}

/** The range of keys that begin with `prefix` and a slash; `0` is the character after the slash. */
function keysBelow(prefix: string): { start: string; end: string } {
  return { start: `${prefix}/`, end: `${prefix}0` };
}
