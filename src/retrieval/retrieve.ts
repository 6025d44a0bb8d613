import type { AnswerPassage, RetrievedPassages } from '../contracts/answer/answer-passage';
import { type Candidate, foundCandidate, givenCandidate, passagesToRank } from './candidates';
import type { CorpusIndex, FoundPassage } from './corpus-index';
import { fuseRanks } from './fuse-ranks';
import { type PassageRanking, rankPassages, type PassagesToRank } from './rank-passages';
import { settlePassages } from './settle-passages';

const READ_FOR_ONE = 5;
const LEAST_READ = 60;
const MOST_READ = 120;

export interface Retrieval {
  question: string;
  /** Other wordings of it; the question may be among them. */
  queries?: readonly string[];
  /** Null where nothing is searched. */
  index: CorpusIndex | null;
  textOf: (sourceId: string) => string | undefined;
  /** Passages that somebody has found already, with how well they fit. */
  given?: readonly AnswerPassage[];
  /** Passages of the index that are nearest in meaning, nearest first. */
  nearest?: readonly number[];
  most: number;
}

/** The passages that answer best: found by their words, ranked by what their sentences say, none that repeats another. */
export async function retrievePassages(retrieval: Retrieval): Promise<RetrievedPassages> {
  const { index, textOf } = retrieval;
  const wordings = wordingsOf(retrieval);
  const nearest = retrieval.nearest ?? [];
  const found = findPassages({ index, nearest, most: retrieval.most }, wordings);
  const candidates = candidatesOf({ index, found, textOf, given: retrieval.given ?? [] });
  const toRank = passagesToRank(wordings, candidates, index);
  return settleRetrieval({
    toRank,
    ranking: await rankPassages(toRank),
    candidates,
    index,
    nearest,
    most: retrieval.most,
  });
}

export function wordingsOf({ question, queries = [] }: Pick<Retrieval, 'question' | 'queries'>): string[] {
  return [...new Set([question, ...queries])];
}

/** The passages that are read: those with the question's words and those nearest in meaning, by their ranks. */
export function findPassages(
  { index, nearest, most }: { index: CorpusIndex | null; nearest: readonly number[]; most: number },
  wordings: readonly string[],
): FoundPassage[] {
  if (index === null) return [];
  const found = index.search(wordings, mostRead(most));
  if (nearest.length === 0) return found;
  const fused = fuseRanks([found.map(({ passage }) => passage), nearest]);
  return index.passagesAt(fused.slice(0, mostRead(most)));
}

export function mostRead(most: number): number {
  return Math.min(Math.max(LEAST_READ, READ_FOR_ONE * most), Math.max(MOST_READ, most));
}

export function candidatesOf({
  index,
  found,
  textOf,
  given,
}: Pick<Retrieval, 'index' | 'textOf'> & {
  found: readonly FoundPassage[];
  given: readonly AnswerPassage[];
}): Candidate[] {
  const searched = found.flatMap((passage) => {
    if (index === null) return [];
    return foundCandidate(index, passage, textOf(index.entries[passage.source]?.id ?? '')) ?? [];
  });
  return [...given.map(givenCandidate), ...searched];
}

/** Passages in their order, of what was ranked; `nearest` are passages of the index, nearest in meaning first. */
export function settleRetrieval({
  toRank,
  ranking,
  candidates,
  index,
  nearest,
  most,
}: {
  toRank: PassagesToRank;
  ranking: PassageRanking;
  candidates: readonly Candidate[];
  index: CorpusIndex | null;
  nearest: readonly number[];
  most: number;
}): RetrievedPassages {
  const pages = new Map(index?.entries.map(({ id, pages: own }) => [id, own]));
  const byPlace = new Map(ranking.ranked.map((passage) => [passage.place, passage]));
  const order = fuseRanks([
    ranking.ranked.map(({ place }) => place),
    byMeaning(candidates, nearest),
    bySimilarity(candidates),
  ]);
  const passages = settlePassages(
    order.flatMap((place) => byPlace.get(place) ?? []),
    candidates,
    { most, pagesOfSource: (id) => pages.get(id) },
  );
  const given = candidates.filter(({ similarity }) => similarity !== null);
  const sizes = index?.sizes();
  const documents = new Set(given.map(({ sourceId }) => sourceId)).size;
  return {
    queries: [...toRank.questions],
    passages,
    counts: toRank.counts,
    searched: {
      documents: (sizes?.documents ?? 0) + documents,
      passages: (sizes?.passages ?? 0) + given.length,
    },
    answerable: ranking.answerable,
  };
}

function byMeaning(candidates: readonly Candidate[], nearest: readonly number[]): number[] {
  const places = new Map(candidates.map(({ passage }, place) => [passage, place]));
  return nearest.flatMap((passage) => places.get(passage) ?? []);
}

/** What was given, by what its giver says of it; nothing where that says the same of all. */
function bySimilarity(candidates: readonly Candidate[]): number[] {
  const given = [...candidates.keys()].filter((place) => candidates[place]?.similarity !== null);
  const similarityOf = (place: number): number => candidates[place]?.similarity ?? 0;
  if (new Set(given.map(similarityOf)).size < 2) return [];
  return given.sort((a, b) => similarityOf(b) - similarityOf(a) || a - b);
}
