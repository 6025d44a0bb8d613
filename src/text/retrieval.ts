import { type AnswerPassage, pagesOf, type RetrievedPassages } from '../contracts/answer';
import type { Page } from '../contracts/source';
import { groupBy } from '../lib/iterables';
import { cutLongText } from '../lib/strings';
import { type CorpusIndex, type FoundPassage, fuseRanks } from './corpus-index';
import {
  indexCandidate,
  inputCandidate,
  type PassageCandidate,
  type PassageRanking,
  passagesToRank,
  type PassagesToRank,
  type RankedPassage,
  rankPassages,
} from './passage-ranking';

/** A longer passage is a single sentence; beyond the maximum it is a table or data, and is truncated. */
const PASSAGE_CHARS = { most: 2_000, least: 500 };

const READ_PER_PASSAGE = 5;
const MIN_READ = 60;
const MAX_READ = 120;

export interface RetrievalRequest {
  question: string;
  queries?: readonly string[];
  /** Null without a corpus. */
  index: CorpusIndex | null;
  textOf: (sourceId: string) => string | undefined;
  given?: readonly AnswerPassage[];
  nearest?: readonly number[];
  most: number;
}

export async function retrievePassages(retrieval: RetrievalRequest): Promise<RetrievedPassages> {
  const { index, textOf } = retrieval;
  const wordings = wordingsOf(retrieval);
  const nearest = retrieval.nearest ?? [];
  const found = findPassages({ index, nearest, most: retrieval.most }, wordings);
  const candidates = candidatesOf({ index, found, textOf, given: retrieval.given ?? [] });
  const toRank = passagesToRank(wordings, candidates, index);
  return finalizeRetrieval({
    toRank,
    ranking: await rankPassages(toRank),
    candidates,
    index,
    nearest,
    most: retrieval.most,
  });
}

export function wordingsOf({
  question,
  queries = [],
}: Pick<RetrievalRequest, 'question' | 'queries'>): string[] {
  return [...new Set([question, ...queries])];
}

export function findPassages(
  { index, nearest, most }: { index: CorpusIndex | null; nearest: readonly number[]; most: number },
  wordings: readonly string[],
): FoundPassage[] {
  if (index === null) return [];
  const found = index.search(wordings, readingLimit(most));
  if (nearest.length === 0) return found;
  const fused = fuseRanks([found.map(({ passage }) => passage), nearest]);
  return index.passagesAt(fused.slice(0, readingLimit(most)));
}

export function readingLimit(most: number): number {
  return Math.min(Math.max(MIN_READ, READ_PER_PASSAGE * most), Math.max(MAX_READ, most));
}

export function candidatesOf({
  index,
  found,
  textOf,
  given,
}: Pick<RetrievalRequest, 'index' | 'textOf'> & {
  found: readonly FoundPassage[];
  given: readonly AnswerPassage[];
}): PassageCandidate[] {
  const searched = found.flatMap((passage) => {
    if (index === null) return [];
    return indexCandidate(index, passage, textOf(index.entries[passage.source]?.id ?? '')) ?? [];
  });
  return [...given.map(inputCandidate), ...searched];
}

/** Citations have at most 3 digits. */
const MAX_CITABLE_PASSAGES = 900;

/** All passages of the index; null if they and `given` exceed `mostChars` or the number that can be cited. */
export function allPassages(
  index: CorpusIndex | null,
  given: readonly AnswerPassage[],
  mostChars: number,
): FoundPassage[] | null {
  const found = index === null ? [] : index.entries.flatMap((_entry, source) => index.passagesOf(source));
  const chars = [...given, ...found].reduce((sum, { start, end }) => sum + end - start, 0);
  return chars <= mostChars && given.length + found.length <= MAX_CITABLE_PASSAGES ? found : null;
}

/**
 * The best `most` passages, best first; without `most`, all of them in the order of the candidates. `nearest` are
 * passages of the index, nearest first.
 */
export function finalizeRetrieval({
  toRank,
  ranking,
  candidates,
  index,
  nearest,
  most,
}: {
  toRank: PassagesToRank;
  ranking: PassageRanking;
  candidates: readonly PassageCandidate[];
  index: CorpusIndex | null;
  nearest: readonly number[];
  most?: number;
}): RetrievedPassages {
  const pages = new Map(index?.entries.map(({ id, pages: own }) => [id, own]));
  const pagesOfSource = (id: string): readonly Page[] | undefined => pages.get(id);
  const byPlace = new Map(ranking.ranked.map((passage) => [passage.place, passage]));
  const order = fuseRanks([
    ranking.ranked.map(({ place }) => place),
    byMeaning(candidates, nearest),
    bySimilarity(candidates),
  ]);
  const passages =
    most === undefined
      ? wholePassages(candidates, byPlace, pagesOfSource)
      : selectPassages(
          order.flatMap((place) => byPlace.get(place) ?? []),
          candidates,
          { most, pagesOfSource },
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

function byMeaning(candidates: readonly PassageCandidate[], nearest: readonly number[]): number[] {
  const places = new Map(candidates.map(({ passage }, place) => [passage, place]));
  return nearest.flatMap((passage) => places.get(passage) ?? []);
}

/** The caller's ranking; empty if all scores are equal. */
function bySimilarity(candidates: readonly PassageCandidate[]): number[] {
  const given = [...candidates.keys()].filter((place) => candidates[place]?.similarity !== null);
  const similarityOf = (place: number): number => candidates[place]?.similarity ?? 0;
  if (new Set(given.map(similarityOf)).size < 2) return [];
  return given.sort((a, b) => similarityOf(b) - similarityOf(a) || a - b);
}

interface SelectionOptions {
  most: number;
  pagesOfSource: (sourceId: string) => readonly Page[] | undefined;
}

interface Span {
  start: number;
  end: number;
}

/**
 * The best passages, numbered. Sentences of a better passage are cut off. A passage whose best sentence is already
 * included waits for the turn of its next best one; it is dropped if none remains or another source has the same text.
 * The caller's passages stay whole.
 */
function selectPassages(
  ranked: readonly RankedPassage[],
  candidates: readonly PassageCandidate[],
  { most, pagesOfSource }: SelectionOptions,
): AnswerPassage[] {
  const taken = new Map<string, Span[]>();
  const texts = new Set<string>();
  const settled: AnswerPassage[] = [];
  const waiting = [...ranked];
  for (let next = waiting.shift(); next !== undefined && settled.length < most; next = waiting.shift()) {
    const { place, sentences } = next;
    const [best, ...others] = sentences;
    const score = best?.score ?? 0;
    const bestStart = best?.start ?? null;
    const candidate = candidates[place];
    if (candidate === undefined) continue;
    const { about, similarity } = candidate;
    const spans = taken.get(about.sourceId) ?? [];
    const span =
      similarity === null ? freeSpan(candidate, bestStart, spans) : uncoveredSpan(candidate, spans);
    if (span === null) {
      if (similarity === null) requeue(waiting, { place, sentences: others });
      continue;
    }
    const pages = similarity === null ? pagesOfSource(about.sourceId) : undefined;
    for (const { start, end } of pageParts(span, { sentences: candidate.sentences, pages, bestStart })) {
      if (settled.length >= most) break;
      const text = candidate.text.slice(start - candidate.start, end - candidate.start);
      if (texts.has(text)) continue;
      texts.add(text);
      taken.set(about.sourceId, [...(taken.get(about.sourceId) ?? []), { start, end }]);
      settled.push(passageOf(candidate, { start, end }, { n: settled.length + 1, score, pages }));
    }
  }
  return settled;
}

/** Passages of the index overlap: sentences of the previous one are cut off. */
function wholePassages(
  candidates: readonly PassageCandidate[],
  ranked: ReadonlyMap<number, RankedPassage>,
  pagesOfSource: SelectionOptions['pagesOfSource'],
): AnswerPassage[] {
  const ends = new Map<string, number>();
  const settled: AnswerPassage[] = [];
  candidates.forEach((candidate, place) => {
    const { sourceId, sentences, similarity } = candidate;
    const score = ranked.get(place)?.sentences[0]?.score ?? 0;
    const pages = similarity === null ? pagesOfSource(sourceId) : undefined;
    for (const span of similarity === null ? newSpans(candidate, ends.get(sourceId) ?? 0) : [candidate])
      for (const part of pageParts(span, { sentences, pages, bestStart: null }))
        settled.push(passageOf(candidate, part, { n: settled.length + 1, score, pages }));
    if (similarity === null) ends.set(sourceId, candidate.end);
  });
  return settled;
}

function newSpans(candidate: PassageCandidate, from: number): Span[] {
  const start = candidate.sentences.find((sentence) => sentence.start >= from)?.start;
  if (start === undefined) return [];
  const text = candidate.text.slice(start - candidate.start);
  return cutLongText(text, PASSAGE_CHARS).map((part) => ({
    start: start + part.start,
    end: start + part.end,
  }));
}

function passageOf(
  { about, start: from, text, similarity }: PassageCandidate,
  { start, end }: Span,
  { n, score, pages }: { n: number; score: number; pages: readonly Page[] | undefined },
): AnswerPassage {
  return {
    ...about,
    id: `P${n}`,
    start,
    end,
    text: text.slice(start - from, end - from),
    pages: similarity === null ? pagesOf(pages, start, end) : about.pages,
    score: Math.max(score, similarity ?? 0),
  };
}

function requeue(waiting: RankedPassage[], passage: RankedPassage): void {
  const [best] = passage.sentences;
  if (best === undefined) return;
  const at = waiting.findIndex(({ sentences }) => (sentences[0]?.score ?? 0) < best.score);
  waiting.splice(at < 0 ? waiting.length : at, 0, passage);
}

/** The caller's passage stays whole; null if another one contains it. */
function uncoveredSpan({ start, end }: PassageCandidate, taken: readonly Span[]): Span | null {
  return taken.some((span) => span.start <= start && end <= span.end) ? null : { start, end };
}

function freeSpan(
  candidate: PassageCandidate,
  bestStart: number | null,
  taken: readonly Span[],
): Span | null {
  const { sentences } = candidate;
  const isFree = ({ start, end }: Span): boolean =>
    !taken.some((span) => span.start < end && start < span.end);
  const best = sentences.findIndex(({ start }) => start === bestStart);
  const middle = best < 0 ? 0 : best;
  const isFreeAt = (place: number): boolean => {
    const sentence = sentences[place];
    return sentence !== undefined && isFree(sentence);
  };
  if (!isFreeAt(middle)) return null;
  let from = middle;
  let to = middle;
  while (isFreeAt(from - 1)) from -= 1;
  while (isFreeAt(to + 1)) to += 1;
  const start = sentences[from]?.start;
  const end = sentences[to]?.end;
  return start === undefined || end === undefined ? null : truncateSpan({ start, end }, candidate);
}

function truncateSpan({ start, end }: Span, candidate: PassageCandidate): Span {
  const text = candidate.text.slice(start - candidate.start, end - candidate.start);
  return { start, end: start + (cutLongText(text, PASSAGE_CHARS)[0]?.end ?? text.length) };
}

interface PageSpan {
  start: number;
  end: number;
}

interface Paged {
  sentences: readonly PageSpan[];
  pages: readonly Page[] | undefined;
  bestStart: number | null;
}

/** Splits a span by page, so that a citation names one page; the page of the best sentence comes first. */
function pageParts(span: PageSpan, { sentences, pages, bestStart }: Paged): PageSpan[] {
  if (pages === undefined || pages.length === 0) return [span];
  const pageOf = ({ start }: PageSpan): number | undefined =>
    pages.findLast((page) => page.start <= start)?.number;
  const within = sentences.filter(({ start, end }) => start >= span.start && end <= span.end);
  const parts = [...groupBy(within, pageOf).values()].map((own) => ({
    start: Math.min(...own.map(({ start }) => start)),
    end: Math.max(...own.map(({ end }) => end)),
    isBest: own.some(({ start }) => start === bestStart),
  }));
  return parts.sort((a, b) => Number(b.isBest) - Number(a.isBest)).map(({ start, end }) => ({ start, end }));
}
