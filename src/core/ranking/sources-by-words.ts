import type { ScoredSource } from '../../contracts/report/outline';
import { READ_FROM } from './ranked-outline';

/** What shares most words with a section has this relevance, as in the outline that is the question itself. */
const MOST = 0.95;

/**
 * The sources of each section by the words that they share with it, best first; ties by id. A source is named for the section that it
 * shares most with, and for any other with which it shares as much as is read for; of those it shares nothing with for none.
 * `shares` has 0–1 for each section and source.
 */
export function sourcesByWords(
  sourceIds: readonly string[],
  shares: readonly (readonly number[])[],
): ScoredSource[][] {
  const best = sourceIds.map((_id, at) => Math.max(0, ...shares.map((ofSection) => ofSection[at] ?? 0)));
  return shares.map((ofSection) =>
    sourceIds
      .flatMap((sourceId, at) => {
        const share = ofSection[at] ?? 0;
        if (share === 0 || (share < (best[at] ?? 0) && MOST * share < READ_FROM)) return [];
        return [{ sourceId, relevance: Math.round(100 * Math.max(READ_FROM, MOST * share)) / 100 }];
      })
      .sort((a, b) => b.relevance - a.relevance || (a.sourceId < b.sourceId ? -1 : 1)),
  );
}
