import { interleave } from '../lib/iterables';
import { createTermFinder, terms } from './words';

export interface TargetTopic {
  title: string;
  description: string;
  subsections: readonly { title: string }[];
}

export interface RankedText {
  title: string;
  summary: string;
}

/**
 * Lexical relevance of each text to each topic, 0–1: the rarity-weighted share of the topic's words, relative to the
 * best text. One list for each topic, in the order of the texts.
 */
export function lexicalRelevance(topics: readonly TargetTopic[], texts: readonly RankedText[]): number[][] {
  return relevanceOfMatches(topics, matchTopicWords(topics, texts));
}

/**
 * The topics' words in each text. A large collection is read in parts, and `relevanceOfMatches` takes the joined
 * result.
 */
export function matchTopicWords(topics: readonly TargetTopic[], texts: readonly RankedText[]): string[][] {
  const find = createTermFinder(new Set(topics.flatMap((topic) => [...wordsOf(topic).keys()])));
  return texts.map(({ title, summary }) => [...find(`${title} ${summary}`)]);
}

/** `lexicalRelevance` from the result of `matchTopicWords`. */
export function relevanceOfMatches(topics: readonly TargetTopic[], held: readonly string[][]): number[][] {
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

function wordsOf({ title, description, subsections }: TargetTopic): Map<string, number> {
  return topicWords(title, [description, ...subsections.map((subsection) => subsection.title)]);
}

/** Words with their weight; words of the title weigh 2, others 1. */
export function topicWords(title: string, further: readonly string[]): Map<string, number> {
  const [ofTitle, others] = [terms(title), terms(further.join(' '))];
  return new Map([...others.map((word) => [word, 1] as const), ...ofTitle.map((word) => [word, 2] as const)]);
}

export interface SummaryBatch {
  summaries: readonly string[];
  first: number;
}

export interface AdditionalSourcesRequest {
  statements: readonly string[];
  /** All sources, in the order of the indices in `holders`. */
  ids: readonly string[];
  /** Summaries of the last sources; of all sources in a small collection. */
  last: SummaryBatch;
  /** Results of `termHolders` for the sources before `last`, part by part. */
  holders: readonly (readonly Uint32Array[])[];
  except: ReadonlySet<string>;
  count: number;
  standing?: ReadonlyMap<string, number>;
}

const NO_PLACES = new Uint32Array(0);

/** A source of quality 1 ranks like a source of quality 0 with a score greater by this share. */
const QUALITY_WEIGHT = 0.25;

export function termHolders({
  statements,
  summaries,
  first,
}: SummaryBatch & { statements: readonly string[] }): Uint32Array[] {
  const places = new Map(statementTerms(statements).map((term) => [term, [] as number[]]));
  const findStated = createTermFinder(new Set(places.keys()));
  summaries.forEach((summary, at) => {
    for (const term of findStated(summary)) places.get(term)?.push(first + at);
  });
  return [...places.values()].map((found) => Uint32Array.from(found));
}

/**
 * Sources to check statements against, by the rarity-weighted words that their summaries share. Each statement gets
 * its best source before any gets its second, so that its only contradiction is not crowded out.
 */
export function additionalSources(request: AdditionalSourcesRequest): string[] {
  return [...new Set(interleave(rankSourcesByStatement(request)))].slice(0, request.count);
}

/** The result of `additionalSources` by statement, at most `most` each, nearest first. */
export function nearestSourcesByStatement({
  most,
  ...request
}: AdditionalSourcesRequest & { most: number }): string[][] {
  const nearest = rankSourcesByStatement(request);
  const chosen = new Set([...new Set(interleave(nearest))].slice(0, request.count));
  return nearest.map((ids) => ids.filter((id) => chosen.has(id)).slice(0, most));
}

function rankSourcesByStatement({
  statements,
  ids,
  last,
  holders,
  except,
  count,
  standing,
}: AdditionalSourcesRequest): string[][] {
  const parts = [...holders, termHolders({ statements, ...last })];
  const having = new Map(
    statementTerms(statements).map((term, at) => [term, parts.map((places) => places[at] ?? NO_PLACES)]),
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
      .map(([id, score]) => [id, score * (1 + QUALITY_WEIGHT * (standing?.get(id) ?? 0))] as const)
      .filter(([id]) => !except.has(id))
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
      .slice(0, count)
      .map(([id]) => id);
  });
}

function statementTerms(statements: readonly string[]): string[] {
  return [...new Set(statements.flatMap((statement) => terms(statement)))];
}
