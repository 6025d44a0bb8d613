import { terms } from './text/words';

export interface FurtherSourcesRequest {
  claims: readonly string[];
  sources: readonly { id: string; summary: string }[];
  /** Sources that have been read already. */
  except: ReadonlySet<string>;
  count: number;
}

/**
 * The sources to hold claims against next: those whose summaries share most with the claims, rare terms weighing more.
 * Best first, ties by id; a source that shares nothing is left out.
 */
export function furtherSources({ claims, sources, except, count }: FurtherSourcesRequest): string[] {
  const claimed = new Set(claims.flatMap((claim) => terms(claim)));
  const held = sources.map(({ summary }) => new Set(terms(summary).filter((term) => claimed.has(term))));
  const frequency = new Map<string, number>();
  for (const set of held) for (const term of set) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return sources
    .map(({ id }, index) => ({
      id,
      score: [...(held[index] ?? [])].reduce(
        (sum, term) => sum + Math.log(1 + sources.length / (frequency.get(term) ?? 1)),
        0,
      ),
    }))
    .filter(({ id, score }) => score > 0 && !except.has(id))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, count)
    .map(({ id }) => id);
}
