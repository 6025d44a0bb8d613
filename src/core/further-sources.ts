import { inTurns } from './in-turns';
import { termFinder } from '../language/term-finder';
import { terms } from '../language/words';

export interface FurtherSourcesRequest {
  claims: readonly string[];
  sources: readonly { id: string; summary: string }[];
  /** Sources that are held against the claims anyway. */
  except: ReadonlySet<string>;
  count: number;
  /** What is known of a source's worth for the section, 0–1; of two that share as much the better one comes first. */
  standing?: ReadonlyMap<string, number>;
}

/** A source of the best standing goes before one of none that shares up to so much more. */
const STANDING_WEIGHT = 0.25;

/**
 * The sources to hold claims against next: for each claim those whose summaries share most with it, rare terms weighing
 * more. Every claim has its best source before any has its second, so that one claim's only contradiction is not
 * crowded out by what many claims share. Ties by id; a source that shares nothing is left out.
 */
export function furtherSources(request: FurtherSourcesRequest): string[] {
  return [...new Set(inTurns(rankings(request)))].slice(0, request.count);
}

/** The same sources, for each claim those of them that are nearest to it, `most` at most. */
export function nearestToEach({ most, ...request }: FurtherSourcesRequest & { most: number }): string[][] {
  const nearest = rankings(request);
  const chosen = new Set([...new Set(inTurns(nearest))].slice(0, request.count));
  return nearest.map((ids) => ids.filter((id) => chosen.has(id)).slice(0, most));
}

/** For each claim the sources that share words with it, the nearest first. */
function rankings({ claims, sources, except, standing }: Omit<FurtherSourcesRequest, 'count'>): string[][] {
  const claimTerms = claims.map((claim) => [...new Set(terms(claim))]);
  const holders = new Map(claimTerms.flat().map((term) => [term, [] as string[]]));
  const findClaimed = termFinder(new Set(holders.keys()));
  for (const { id, summary } of sources) {
    for (const term of findClaimed(summary)) holders.get(term)?.push(id);
  }
  return claimTerms.map((wanted) => {
    const scores = new Map<string, number>();
    for (const term of wanted) {
      const having = holders.get(term) ?? [];
      const weight = Math.log(1 + sources.length / Math.max(1, having.length));
      for (const id of having) scores.set(id, (scores.get(id) ?? 0) + weight);
    }
    return [...scores]
      .map(([id, score]) => [id, score * (1 + STANDING_WEIGHT * (standing?.get(id) ?? 0))] as const)
      .filter(([id]) => !except.has(id))
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
      .map(([id]) => id);
  });
}
