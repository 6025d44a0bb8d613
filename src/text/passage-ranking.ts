import { type AnswerPassage, pagesOf } from '../contracts/answer';
import type { WordCounts } from '../contracts/source';
import { distinctBy } from '../lib/iterables';
import { answerableProbability } from './answerability';
import {
  addCounts,
  type Collection,
  countQuestionTerms,
  indexSources,
  sentencesOfSource,
} from './collection';
import { type CorpusIndex, type FoundPassage, fuseRanks } from './corpus-index';
import type { Encoder } from './encoder';
import { probability, readIndexed } from './features';
import { type Question, readQuestion } from './question';
import { rankByMeaning, type RankedSentence } from './ranking';
import { isQuotable } from './sentence-selection';
import { splitSentences } from './sentences';

interface PassageSentence {
  start: number;
  end: number;
  text: string;
}

interface ReadablePassage {
  sourceId: string;
  title: string;
  sentences: readonly PassageSentence[];
}

interface ContextSource {
  id: string;
  title: string;
  held: readonly string[];
}

export interface PassagesToRank {
  questions: readonly string[];
  passages: readonly ReadablePassage[];
  sources: readonly ContextSource[];
  counts: WordCounts;
  averageTokens?: number;
}

export interface RankedPlace {
  start: number;
  /** Relevance, 0–1, for ordering only; not a probability. */
  score: number;
}

export interface RankedPassage {
  place: number;
  sentences: RankedPlace[];
}

export interface PassageRanking {
  ranked: RankedPassage[];
  /** Probability that the first question is answered, 0–1. */
  answerable: number;
}

const EXAMINED_SENTENCES = 150;
/** Typical score of a sentence that covers the question, in a source that covers it. */
const FULL_SCORE = 14;
const SPREAD = 3;

export async function rankPassages(
  given: PassagesToRank,
  encoder: Encoder | null = null,
): Promise<PassageRanking> {
  const sources = sourcesOf(given);
  const collection = indexed(sources, given.averageTokens);
  const rankings: RankedForQuestion[] = [];
  for (const question of given.questions)
    rankings.push(await rankForQuestion(readQuestion(question), { collection, sources, given, encoder }));
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

interface SourceToRead extends ContextSource {
  sentences: PassageSentence[];
}

/** Passages of a source overlap; each sentence is read once. */
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

async function rankForQuestion(
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
  const ranked = await rankByMeaning(encoder, reading, { most: EXAMINED_SENTENCES });
  const least = Math.min(1, ...ranked.flatMap(({ meaning }) => meaning?.likely ?? []));
  const bySource = new Map<string, RankedPlace[]>(sources.map(({ id }) => [id, []]));
  for (const sentence of ranked) {
    const { id, sentences } = sources[sentence.source] ?? { id: '', sentences: [] };
    const placed = sentences[sentence.sentence - (collection.sources[sentence.source]?.from ?? 0)];
    if (placed) bySource.get(id)?.push({ start: placed.start, score: relevanceScore(sentence, least) });
  }
  return {
    byPassage: given.passages.map(({ sourceId, sentences }) => {
      const starts = new Set(sentences.map(({ start }) => start));
      return bySource.get(sourceId)?.filter(({ start }) => starts.has(start)) ?? [];
    }),
    answerable: answerableProbability(reading, ranked),
  };
}

/** Sentences that the encoder did not read rank below those that it read. */
function relevanceScore({ score, meaning }: RankedSentence, least: number): number {
  return meaning?.likely ?? least * probability((score - FULL_SCORE) / SPREAD);
}

function bestScore(sentences: readonly RankedPlace[] | undefined): number {
  return sentences?.[0]?.score ?? -Infinity;
}

function bestFirst(sentences: readonly RankedPlace[]): RankedPlace[] {
  const sorted = [...sentences].sort((a, b) => b.score - a.score);
  return distinctBy(sorted, ({ start }) => `${start}`);
}

/** A passage with the data to rank it; `text` begins at `start` of the source. */
export interface PassageCandidate extends ReadablePassage {
  about: Omit<AnswerPassage, 'id' | 'score' | 'start' | 'end' | 'text'>;
  start: number;
  end: number;
  text: string;
  /** Number in the index; null for a passage from the caller. */
  passage: number | null;
  /** The caller's score; null for a search hit. */
  similarity: number | null;
}

/** Null if the source's text is not available. */
export function indexCandidate(
  { entries, layout }: CorpusIndex,
  { source, passage, start, end }: FoundPassage,
  content: string | undefined,
): PassageCandidate | null {
  const entry = entries[source];
  if (entry === undefined || content === undefined) return null;
  const sentences: PassageSentence[] = [];
  for (let at = layout.passageFrom[passage] ?? 0; at < (layout.passageTo[passage] ?? 0); at += 1) {
    const from = layout.sentenceStart[at] ?? 0;
    const to = layout.sentenceEnd[at] ?? 0;
    sentences.push({ start: from, end: to, text: content.slice(from, to) });
  }
  const { id, title, file, url, pages, author, site, publishedAt, work, summaryOnly } = entry;
  const about = {
    sourceId: id,
    document: file ?? title,
    title,
    url,
    ...(author === undefined ? {} : { author }),
    ...(site === undefined ? {} : { site }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(work === undefined ? {} : { work }),
    ...(summaryOnly === undefined ? {} : { summaryOnly }),
    pages: pagesOf(pages, start, end),
    origin: 'text' as const,
  };
  return {
    about,
    sourceId: id,
    title,
    sentences,
    start,
    end,
    text: content.slice(start, end),
    passage,
    similarity: null,
  };
}

export function inputCandidate(given: AnswerPassage): PassageCandidate {
  const { id: _id, score, start, end, text, ...about } = given;
  const own = sentencesOfSource(text);
  const sentences = (own.length > 0 ? own : splitSentences(text)).map((sentence) => ({
    start: start + sentence.start,
    end: start + sentence.end,
    text: sentence.text,
  }));
  return {
    about,
    sourceId: about.sourceId,
    title: about.title,
    sentences,
    start,
    end,
    text,
    passage: null,
    similarity: score,
  };
}

/**
 * Sources with the most question words join those of the candidates, so that a lead over the rest of the corpus shows.
 */
const CONTEXT_SOURCES = 20;

export function passagesToRank(
  questions: readonly string[],
  candidates: readonly PassageCandidate[],
  index: CorpusIndex | null,
): PassagesToRank {
  const words = [...new Set(questions.flatMap((question) => readQuestion(question).words))];
  const titles = new Map(candidates.map(({ sourceId, title }) => [sourceId, title]));
  const held = new Map<string, readonly string[]>();
  if (index !== null) {
    const bySource = index.heldBySource(words);
    const most = [...bySource.keys()].sort(
      (a, b) => (bySource[b]?.length ?? 0) - (bySource[a]?.length ?? 0) || a - b,
    );
    const beside = new Set(most.slice(0, CONTEXT_SOURCES));
    index.entries.forEach(({ id, title }, source) => {
      if (!titles.has(id) && !beside.has(source)) return;
      titles.set(id, title);
      held.set(id, bySource[source] ?? []);
    });
  }
  const sources = [...titles].map(([id, title]): ContextSource => ({
    id,
    title,
    held: held.get(id) ?? [],
  }));
  return {
    questions,
    passages: candidates.map(({ sourceId, title, sentences }) => ({ sourceId, title, sentences })),
    sources,
    counts: countsOf(questions, candidates, index),
    ...(index === null ? {} : { averageTokens: index.averageSentenceTokens }),
  };
}

function countsOf(
  questions: readonly string[],
  candidates: readonly PassageCandidate[],
  index: CorpusIndex | null,
): WordCounts {
  const indexed = new Set(index?.entries.map(({ id }) => id));
  const beside = candidates.filter(({ sourceId }) => !indexed.has(sourceId));
  const collection = indexSources(
    beside.map(({ sourceId, title, sentences }) => ({
      id: sourceId,
      title,
      sentences: sentences.map(({ text }) => text),
    })),
  );
  const parts = questions.map((question) => {
    const own = countQuestionTerms(readQuestion(question), collection);
    return index === null ? own : addCounts([own, index.counts(question)]);
  });
  return {
    sentences: parts[0]?.sentences ?? 0,
    holders: Object.assign({}, ...parts.map(({ holders }) => holders)) as WordCounts['holders'],
  };
}
