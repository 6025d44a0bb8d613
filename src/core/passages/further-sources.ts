import { inTurns } from '../values/in-turns';
import { termFinder } from '../../language/term-finder';
import { terms } from '../../language/words';

/** Summaries of sources that follow each other; `first` is the place of the first of them. */
export interface SummaryPart {
  summaries: readonly string[];
  first: number;
}

export interface FurtherSourcesRequest {
  statements: readonly string[];
  /** Of all sources, in the order that `holders` counts in. */
  ids: readonly string[];
  /** The summaries of the last of them; of all, where that is not too much at once. */
  last: SummaryPart;
  /** Of the sources before those, part by part: for each of the statements' terms the places that hold it (`termHolders`). */
  holders: readonly (readonly Uint32Array[])[];
  except: ReadonlySet<string>;
  count: number;
  /** What is known of a source's worth for the section, 0–1; of two that share as much the better one comes first. */
  standing?: ReadonlyMap<string, number>;
}

const NOWHERE = new Uint32Array(0);

/** A source of the best standing goes before one of none that shares up to so much more. */
const STANDING_WEIGHT = 0.25;

export function termHolders({
  statements,
  summaries,
  first,
}: SummaryPart & { statements: readonly string[] }): Uint32Array[] {
  const places = new Map(statedTerms(statements).map((term) => [term, [] as number[]]));
  const findStated = termFinder(new Set(places.keys()));
  summaries.forEach((summary, at) => {
    for (const term of findStated(summary)) places.get(term)?.push(first + at);
  });
  return [...places.values()].map((found) => Uint32Array.from(found));
}

/**
 * The sources to hold statements against next: for each those whose summaries share most with it, rare terms weighing more.
 * Every statement has its best source before any has its second, so that one statement's only contradiction is not crowded
 * out by what many share. Ties by id; a source that shares nothing is left out.
 */
export function furtherSources(request: FurtherSourcesRequest): string[] {
  return [...new Set(inTurns(rankings(request)))].slice(0, request.count);
}

/** The same sources, for each statement those of them that are nearest to it, `most` at most. */
export function nearestToEach({ most, ...request }: FurtherSourcesRequest & { most: number }): string[][] {
  const nearest = rankings(request);
  const chosen = new Set([...new Set(inTurns(nearest))].slice(0, request.count));
  return nearest.map((ids) => ids.filter((id) => chosen.has(id)).slice(0, most));
}

/** For each statement the sources that share words with it, the nearest first. */
function rankings({
  statements,
  ids,
  last,
  holders,
  except,
  count,
  standing,
}: FurtherSourcesRequest): string[][] {
  const parts = [...holders, termHolders({ statements, ...last })];
  const having = new Map(
    statedTerms(statements).map((term, at) => [term, parts.map((places) => places[at] ?? NOWHERE)]),
  );
  return statements.map((statement) => {
    const scores = new Map<number, number>();
    for (const term of new Set(terms(statement))) {
      const found = having.get(term) ?? [];
      const held = found.reduce((sum, { length }) => sum + length, 0);
      const weight = Math.log(1 + ids.length / Math.max(1, held));
      for (const places of found)
        for (const place of places) scores.set(place, (scores.get(place) ?? 0) + weight);
    }
    return [...scores]
      .map(([place, score]) => [ids[place] ?? '', score] as const)
      .map(([id, score]) => [id, score * (1 + STANDING_WEIGHT * (standing?.get(id) ?? 0))] as const)
      .filter(([id]) => !except.has(id))
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
      .slice(0, count)
      .map(([id]) => id);
  });
}

function statedTerms(statements: readonly string[]): string[] {
  return [...new Set(statements.flatMap((statement) => terms(statement)))];
}
