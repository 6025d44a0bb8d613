import { inTurns } from '../lib/iterables';
import { termFinder, terms } from './words';

export interface WantedTopic {
  title: string;
  description: string;
  subsections: readonly { title: string }[];
}

export interface RankedText {
  title: string;
  summary: string;
}

/**
 * How much of each topic each text has in its words, 0–1: the share of the topic's words that it holds, rarer ones weighing
 * more, set against the text that holds most. One list for each topic, in the order of the texts.
 */
export function lexicalRelevance(topics: readonly WantedTopic[], texts: readonly RankedText[]): number[][] {
  return relevanceOfHeld(topics, heldWords(topics, texts));
}

/** Which of the topics' words each text holds: all that has to be known of it, so that a large collection is read in parts. */
export function heldWords(topics: readonly WantedTopic[], texts: readonly RankedText[]): string[][] {
  const find = termFinder(new Set(topics.flatMap((topic) => [...wordsOf(topic).keys()])));
  return texts.map(({ title, summary }) => [...find(`${title} ${summary}`)]);
}

/** As `lexicalRelevance`, by what all texts hold. */
export function relevanceOfHeld(topics: readonly WantedTopic[], held: readonly string[][]): number[][] {
  const holders = new Map<string, number>();
  for (const words of held) for (const word of words) holders.set(word, (holders.get(word) ?? 0) + 1);
  return topics.map((topic) => {
    const weights = [...wordsOf(topic)].map(
      ([word, weight]) =>
        [word, weight * Math.log(1 + held.length / (1 + (holders.get(word) ?? 0)))] as const,
    );
    const shares = held.map((words) =>
      weights.reduce((sum, [word, weight]) => sum + (words.includes(word) ? weight : 0), 0),
    );
    const most = shares.reduce((best, share) => Math.max(best, share), 0);
    return shares.map((share) => (most === 0 ? 0 : share / most));
  });
}

function wordsOf({ title, description, subsections }: WantedTopic): Map<string, number> {
  return topicWords(title, [description, ...subsections.map((subsection) => subsection.title)]);
}

/** The words of what is to be covered; those of the title count twice. */
export function topicWords(title: string, further: readonly string[]): Map<string, number> {
  const [ofTitle, others] = [terms(title), terms(further.join(' '))];
  return new Map([...others.map((word) => [word, 1] as const), ...ofTitle.map((word) => [word, 2] as const)]);
}

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
