import type { Encoder } from '../encoder/encoder';
import type { WordCounts } from '../contracts/report/word-counts';
import { distinctBy } from '../core/values/distinct-by';
import { answerableProbability } from '../reading/collection/answerable';
import { type Collection, indexSources } from '../reading/collection/collection';
import { probability } from '../reading/features/score';
import { readIndexed } from '../reading/features/features';
import { type Question, readQuestion } from '../reading/question/question';
import { isQuotable } from '../reading/quotable';
import { rankByMeaning } from '../reading/rank-by-meaning';
import type { RankedSentence } from '../reading/rank-sentences';
import { fuseRanks } from './fuse-ranks';

/** A sentence of a passage; offsets are those of its source's content. */
export interface PassageSentence {
  start: number;
  end: number;
  text: string;
}

export interface ReadablePassage {
  sourceId: string;
  title: string;
  sentences: readonly PassageSentence[];
}

/** A source of which the passages are, or one of which none is among them. */
export interface SurroundingSource {
  id: string;
  title: string;
  /** Stems of the questions that stand anywhere in it. */
  held: readonly string[];
}

export interface PassagesToRank {
  /** The question, then other wordings of it. */
  questions: readonly string[];
  passages: readonly ReadablePassage[];
  sources: readonly SurroundingSource[];
  counts: WordCounts;
  /** Over all sentences that were searched; absent where the passages are all that there is. */
  averageTokens?: number;
}

export interface RankedPlace {
  start: number;
  /** How well it fits, 0–1: it orders passages and is no probability. */
  score: number;
}

/** A passage by its place among those that were given. */
export interface RankedPassage {
  place: number;
  /** Those of its sentences that can be quoted, best first. */
  sentences: RankedPlace[];
}

export interface PassageRanking {
  /** Best first; all passages. */
  ranked: RankedPassage[];
  /** How likely it is that the first question is answered, 0–1. */
  answerable: number;
}

const LOOKED_AT = 150;
/** A sentence that covers the question in a source that covers it has about so much. */
const FULL_SCORE = 14;
const SPREAD = 3;

/** Ranks passages by their best sentences for each question, and fuses the orders. */
export async function rankPassages(
  given: PassagesToRank,
  encoder: Encoder | null = null,
): Promise<PassageRanking> {
  const sources = sourcesOf(given);
  const collection = indexed(sources, given.averageTokens);
  const rankings: RankedForQuestion[] = [];
  for (const question of given.questions)
    rankings.push(await rankedFor(readQuestion(question), { collection, sources, given, encoder }));
  const orders = rankings.map(({ byPassage }) =>
    [...byPassage.keys()].sort((a, b) => bestScore(byPassage[b]) - bestScore(byPassage[a]) || a - b),
  );
  return {
    ranked: fuseRanks(orders).map((place) => ({
      place,
      sentences: bestFirst(rankings.flatMap(({ byPassage }) => byPassage[place] ?? [])),
    })),
    answerable: rankings[0]?.answerable ?? 0,
  };
}

interface SourceToRead extends SurroundingSource {
  sentences: PassageSentence[];
}

/** Passages of a source overlap: each of its sentences is read once. */
function sourcesOf({ passages, sources }: PassagesToRank): SourceToRead[] {
  const byId = new Map(sources.map((source) => [source.id, new Map<number, PassageSentence>()]));
  for (const { sourceId, title, sentences } of passages) {
    for (const sentence of sentences)
      if (isQuotable(sentence.text, title)) byId.get(sourceId)?.set(sentence.start, sentence);
  }
  return sources.map((source) => ({
    ...source,
    sentences: [...(byId.get(source.id)?.values() ?? [])].sort((a, b) => a.start - b.start),
  }));
}

function indexed(sources: readonly SourceToRead[], averageTokens: number | undefined): Collection {
  const collection = indexSources(
    sources.map(({ id, title, held, sentences }) => ({
      id,
      title,
      sentences: sentences.map(({ text }) => text),
      alsoHolds: held,
    })),
  );
  return averageTokens === undefined ? collection : { ...collection, averageLength: averageTokens };
}

interface RankedForQuestion {
  byPassage: RankedPlace[][];
  answerable: number;
}

async function rankedFor(
  question: Question,
  {
    collection,
    sources,
    given,
    encoder,
  }: {
    collection: Collection;
    sources: readonly SourceToRead[];
    given: PassagesToRank;
    encoder: Encoder | null;
  },
): Promise<RankedForQuestion> {
  const reading = readIndexed(question, collection, given.counts);
  const ranked = await rankByMeaning(encoder, reading, { most: LOOKED_AT });
  const least = Math.min(1, ...ranked.flatMap(({ meaning }) => meaning?.likely ?? []));
  const bySource = new Map<string, RankedPlace[]>(sources.map(({ id }) => [id, []]));
  for (const sentence of ranked) {
    const { id, sentences } = sources[sentence.source] ?? { id: '', sentences: [] };
    const placed = sentences[sentence.sentence - (collection.sources[sentence.source]?.from ?? 0)];
    if (placed) bySource.get(id)?.push({ start: placed.start, score: fitOf(sentence, least) });
  }
  return {
    byPassage: given.passages.map(({ sourceId, sentences }) => {
      const starts = new Set(sentences.map(({ start }) => start));
      return bySource.get(sourceId)?.filter(({ start }) => starts.has(start)) ?? [];
    }),
    answerable: answerableProbability(reading, ranked),
  };
}

/** What was not read by its meaning comes behind what was. */
function fitOf({ score, meaning }: RankedSentence, least: number): number {
  return meaning?.likely ?? least * probability((score - FULL_SCORE) / SPREAD);
}

function bestScore(sentences: readonly RankedPlace[] | undefined): number {
  return sentences?.[0]?.score ?? -Infinity;
}

/** Each sentence once, with what it has for the question that it fits best. */
function bestFirst(sentences: readonly RankedPlace[]): RankedPlace[] {
  const sorted = [...sentences].sort((a, b) => b.score - a.score);
  return distinctBy(sorted, ({ start }) => `${start}`);
}
