import type { Warning } from '../../contracts/run/run';
import { type RefusedSource, refusedSentence } from '../../core/run/fallback-sentence';
import { isRecord } from '../../core/values/is-record';
import { halves } from './answers/step-answer';

/** A process remembers the refused sources of so many runs; another finds them again. */
const REMEMBERED_RUNS = 100;
/** An endpoint that refuses so many parts refuses the whole. */
const MOST_REFUSALS = 16;

/** The sources that an endpoint's content filter refused, by run. */
export function createRefusedSources(): { of: (runId: string) => Set<string> } {
  const byRun = new Map<string, Set<string>>();
  return {
    of(runId) {
      const known = byRun.get(runId) ?? new Set<string>();
      byRun.delete(runId);
      byRun.set(runId, known);
      const [oldest] = byRun.keys();
      if (byRun.size > REMEMBERED_RUNS && oldest !== undefined) byRun.delete(oldest);
      return known;
    },
  };
}

/** The sources in the input of a step, as it gives them to a model; none where it has other material. */
export function sourcesIn(input: unknown): RefusedSource[] {
  const list: unknown = isRecord(input) ? input['sources'] : undefined;
  return (Array.isArray(list) ? list : []).flatMap((source: unknown): RefusedSource[] => {
    if (!isRecord(source)) return [];
    const { sourceId, title } = source;
    return typeof sourceId === 'string' && typeof title === 'string' ? [{ id: sourceId, title }] : [];
  });
}

export function refusedWarning(step: string, sources: readonly RefusedSource[]): Warning {
  const message =
    sources.length === 0
      ? `The endpoint’s content filter refused a part of the material of step ${step}. It is left out.`
      : refusedSentence(sources);
  return {
    code: 'source-refused',
    message,
    fallback: { step, reason: 'filtered', sourceIds: sources.map(({ id }) => id) },
  };
}

/**
 * The items that make an endpoint refuse a prompt that has them all, found by halves. `isRefused` asks with some of them alone. Null
 * where none is refused by itself, where all are, and where there are too many: then it is not for them.
 */
export async function findRefused<Item>(
  items: readonly Item[],
  isRefused: (some: readonly Item[]) => Promise<boolean>,
): Promise<Item[] | null> {
  let refusals = 0;
  const among = async (some: readonly Item[]): Promise<Item[]> => {
    refusals += 1;
    const parts = refusals > MOST_REFUSALS ? null : halves(some);
    if (parts === null) return some.length === 1 ? [...some] : [];
    const found: Item[] = [];
    for (const part of parts) if (await isRefused(part)) found.push(...(await among(part)));
    return found;
  };
  const found = await among(items);
  const isOfItems = found.length > 0 && (found.length < items.length || items.length === 1);
  return isOfItems && refusals <= MOST_REFUSALS ? found : null;
}
