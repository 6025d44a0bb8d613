import type { ArtifactRef, SourceEntry, WordCounts } from '../contracts/source';
import { areWordForms, questionWeights, SHARED_PREFIX_LENGTH, WORD_FORM_WEIGHT } from './collection';
import { ByteReader, indexSource, mergeSegments, readPostings } from './index-segments';
import { type Question, readQuestion } from './question';
import { terms } from './words';

export type IndexedEntry = Pick<
  SourceEntry,
  'id' | 'title' | 'file' | 'url' | 'author' | 'site' | 'publishedAt' | 'pages' | 'work' | 'summaryOnly'
>;

export interface FoundPassage {
  source: number;
  passage: number;
  start: number;
  end: number;
}

export interface CorpusIndex {
  readonly entries: readonly IndexedEntry[];
  readonly layout: CorpusLayout;
  readonly titles: readonly ReadonlySet<string>[];
  readonly averageSentenceTokens: number;
  sizes(): { documents: number; passages: number; sentences: number; stems: number };
  counts(question: string): WordCounts;
  search(queries: readonly string[], most: number): FoundPassage[];
  passagesOf(source: number): FoundPassage[];
  passagesAt(numbers: readonly number[]): FoundPassage[];
  /** By source: the given words that occur in its text, without its title. */
  heldBySource(words: readonly string[]): string[][];
}

export function buildCorpusIndex(sources: readonly { entry: IndexedEntry; content: string }[]): CorpusIndex {
  const merged = mergeSegments(sources.map(({ content }) => indexSource(content)));
  return readCorpusIndex(
    merged,
    sources.map(({ entry }) => entry),
  );
}

/**
 * Reads the bytes of `mergeSegments`; `entries` have the order of the segments. Throws a `RangeError` if the numbers
 * differ.
 */
export function readCorpusIndex(merged: Uint8Array, entries: readonly IndexedEntry[]): CorpusIndex {
  const layout = readLayout(merged);
  if (layout.sources !== entries.length)
    throw new RangeError(`an index of ${layout.sources} sources for ${entries.length}`);
  const titles = entries.map(({ title }) => new Set(terms(title)));
  const tokens = layout.sentenceTokens.reduce((sum, count) => sum + count, 0);
  const placed = (word: string): number | null => {
    const place = lowerBound(word, layout.stems);
    return layout.stems[place] === word ? place : null;
  };
  const countsOf = ({ words }: Question): WordCounts => ({
    sentences: layout.sentences,
    holders: Object.fromEntries(words.map((word) => [word, layout.holders[placed(word) ?? -1] ?? 0])),
  });
  return {
    entries,
    layout,
    titles,
    averageSentenceTokens: Math.max(1, tokens / Math.max(1, layout.sentences)),
    sizes: () => ({
      documents: layout.sources,
      passages: layout.passages,
      sentences: layout.sentences,
      stems: layout.stems.length,
    }),
    counts: (question) => countsOf(readQuestion(question)),
    search(queries, most) {
      const rankings = queries.map((query) => {
        const question = readQuestion(query);
        const weights = questionWeights(question, countsOf(question));
        return searchPassages({ layout, titles }, { words: question.words, weights, most });
      });
      return fuseRanks(rankings)
        .slice(0, most)
        .map((passage) => foundPassage(layout, passage));
    },
    passagesOf(source) {
      const from = layout.firstPassage[source] ?? 0;
      const count = (layout.firstPassage[source + 1] ?? from) - from;
      return Array.from({ length: count }, (_, at) => foundPassage(layout, from + at));
    },
    passagesAt: (numbers) => numbers.map((passage) => foundPassage(layout, passage)),
    heldBySource: (words) => questionWordsBySource(layout, words, placed),
  };
}

function foundPassage(layout: CorpusLayout, passage: number): FoundPassage {
  return {
    source: layout.sourceOf[passage] ?? 0,
    passage,
    start: layout.sentenceStart[layout.passageFrom[passage] ?? 0] ?? 0,
    end: layout.sentenceEnd[(layout.passageTo[passage] ?? 1) - 1] ?? 0,
  };
}

function questionWordsBySource(
  layout: CorpusLayout,
  words: readonly string[],
  placed: (word: string) => number | null,
): string[][] {
  const held = Array.from({ length: layout.sources }, (): string[] => []);
  for (const word of words) {
    const place = placed(word);
    if (place === null) continue;
    let source = 0;
    layout.eachHolder(place, (sentence) => {
      while (sentence >= (layout.firstSentence[source + 1] ?? Infinity)) source += 1;
      const holding = held[source];
      if (holding !== undefined && holding.at(-1) !== word) holding.push(word);
    });
  }
  return held;
}

/** Usual BM25 parameters: saturation and length normalisation. */
const K1 = 1.2;
const B = 0.75;
/** A title word counts as this many occurrences in a passage of the source. */
const TITLE_TIMES = 0.5;

interface SearchableCorpus {
  layout: CorpusLayout;
  titles: readonly ReadonlySet<string>[];
}

/**
 * Passages ranked by BM25 with the given weights, best first; ties keep the order of the corpus. Other forms of a word
 * count by their share.
 */
function searchPassages(
  { layout, titles }: SearchableCorpus,
  { words, weights, most }: { words: readonly string[]; weights: Float64Array; most: number },
): number[] {
  const scores = new Float64Array(layout.passages);
  const times = new Float32Array(layout.passages);
  const lengths = passageTokens(layout);
  const found: number[] = [];
  words.forEach((word, column) => {
    const weight = weights[column] ?? 0;
    const touched = countInPassages(layout, word, times);
    for (const passage of touched) {
      const title = titles[layout.sourceOf[passage] ?? 0]?.has(word) === true ? TITLE_TIMES : 0;
      const held = (times[passage] ?? 0) + title;
      const norm = K1 * (1 - B + (B * (lengths.of[passage] ?? 0)) / lengths.average);
      if (scores[passage] === 0) found.push(passage);
      scores[passage] = (scores[passage] ?? 0) + (weight * held * (K1 + 1)) / (held + norm);
      times[passage] = 0;
    }
  });
  const least =
    Float64Array.from(found, (passage) => scores[passage] ?? 0)
      .sort()
      .at(-most) ?? 0;
  return found
    .filter((passage) => (scores[passage] ?? 0) >= least)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, most);
}

function countInPassages(layout: CorpusLayout, word: string, times: Float32Array): number[] {
  const touched: number[] = [];
  for (const { stem, share } of matchingStems(word, layout.stems)) {
    layout.eachHolder(stem, (sentence, count) => {
      const first = layout.passageOf[sentence] ?? 0;
      for (
        let passage = first;
        (layout.passageFrom[passage] ?? Infinity) <= sentence && sentence < (layout.passageTo[passage] ?? 0);
        passage += 1
      ) {
        if (times[passage] === 0) touched.push(passage);
        times[passage] = (times[passage] ?? 0) + share * count;
      }
    });
  }
  return touched;
}

const passageTokenCache = new WeakMap<CorpusLayout, { of: Uint32Array; average: number }>();

function passageTokens(layout: CorpusLayout): { of: Uint32Array; average: number } {
  const known = passageTokenCache.get(layout);
  if (known !== undefined) return known;
  const of = layout.passageFrom.map((from, passage) => {
    let sum = 0;
    for (let at = from; at < (layout.passageTo[passage] ?? 0); at += 1) sum += layout.sentenceTokens[at] ?? 0;
    return sum;
  });
  const average = Math.max(1, of.reduce((sum, count) => sum + count, 0) / Math.max(1, of.length));
  const tokens = { of, average };
  passageTokenCache.set(layout, tokens);
  return tokens;
}

interface StemMatch {
  stem: number;
  share: number;
}

/** The word's stem and the stems of its possible forms. `stems` are sorted by UTF-16 units. */
function matchingStems(word: string, stems: readonly string[]): StemMatch[] {
  const own = lowerBound(word, stems);
  const met: StemMatch[] = stems[own] === word ? [{ stem: own, share: 1 }] : [];
  if (word.length < SHARED_PREFIX_LENGTH) return met;
  const start = word.slice(0, SHARED_PREFIX_LENGTH);
  for (let at = lowerBound(start, stems); stems[at]?.startsWith(start) === true; at += 1) {
    if (at !== own && areWordForms(stems[at] ?? '', word)) met.push({ stem: at, share: WORD_FORM_WEIGHT });
  }
  return met;
}

function lowerBound(text: string, stems: readonly string[]): number {
  let low = 0;
  let high = stems.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stems[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A decoded index. Sentences and passages are numbered over all sources, in order. */
interface CorpusLayout {
  sources: number;
  sentences: number;
  passages: number;
  /** By sentence: its offsets in the content of its source, and its number of tokens. */
  sentenceStart: Uint32Array;
  sentenceEnd: Uint32Array;
  sentenceTokens: Uint32Array;
  /** By passage: its sentences, `to` exclusive, and its source. */
  passageFrom: Uint32Array;
  passageTo: Uint32Array;
  sourceOf: Uint32Array;
  /** By source: its first sentence and passage; one more entry ends the last source. */
  firstSentence: Uint32Array;
  firstPassage: Uint32Array;
  /** By sentence: its first passage; later passages may overlap it. */
  passageOf: Uint32Array;
  /** Sorted by UTF-16 units. */
  stems: readonly string[];
  holders: Uint32Array;
  eachHolder: (stem: number, each: (sentence: number, times: number) => void) => void;
}

/** Decodes the bytes of `mergeSegments`. Posting lists are decoded on access. */
function readLayout(merged: Uint8Array): CorpusLayout {
  const bytes = new ByteReader(merged);
  const sources = bytes.number();
  const sentences = bytes.number();
  const passages = bytes.number();
  const layout = {
    sources,
    sentences,
    passages,
    sentenceStart: new Uint32Array(sentences),
    sentenceEnd: new Uint32Array(sentences),
    sentenceTokens: new Uint32Array(sentences),
    passageFrom: new Uint32Array(passages),
    passageTo: new Uint32Array(passages),
    sourceOf: new Uint32Array(passages),
    firstSentence: new Uint32Array(sources + 1),
    firstPassage: new Uint32Array(sources + 1),
    passageOf: new Uint32Array(sentences),
  };
  readPlaces(layout, bytes);
  const text = bytes.text();
  const stems = text === '' ? [] : text.split('\n');
  const holders = new Uint32Array(stems.length);
  const begins = new Uint32Array(stems.length);
  const sizes = new ByteReader(bytes.block());
  let begin = 0;
  stems.forEach((_stem, place) => {
    holders[place] = sizes.number();
    begins[place] = begin;
    begin += sizes.number();
  });
  const lists = bytes.block();
  return {
    ...layout,
    stems,
    holders,
    eachHolder: (stem, each) =>
      readPostings(new ByteReader(lists, begins[stem] ?? 0), holders[stem] ?? 0, each),
  };
}

type Places = Omit<CorpusLayout, 'stems' | 'holders' | 'eachHolder'>;

function readPlaces(layout: Places, bytes: ByteReader): void {
  const counts = new ByteReader(bytes.block());
  const sentences = new ByteReader(bytes.block());
  const passages = new ByteReader(bytes.block());
  let sentence = 0;
  let passage = 0;
  for (let source = 0; source < layout.sources; source += 1) {
    layout.firstSentence[source] = sentence;
    layout.firstPassage[source] = passage;
    const lastSentence = sentence + counts.number();
    const lastPassage = passage + counts.number();
    let from = sentence;
    for (let behind = 0; sentence < lastSentence; sentence += 1) {
      const start = behind + sentences.number();
      behind = start + sentences.number();
      layout.sentenceStart[sentence] = start;
      layout.sentenceEnd[sentence] = behind;
      layout.sentenceTokens[sentence] = sentences.number();
    }
    let covered = from;
    for (; passage < lastPassage; passage += 1) {
      from += passages.number();
      const to = from + passages.number();
      layout.passageFrom[passage] = from;
      layout.passageTo[passage] = to;
      layout.sourceOf[passage] = source;
      for (; covered < to; covered += 1) layout.passageOf[covered] = passage;
    }
  }
  layout.firstSentence[layout.sources] = sentence;
  layout.firstPassage[layout.sources] = passage;
}

/** Constant of reciprocal rank fusion: Cormack, Clarke and Büttcher (2009). */
const RANK_OFFSET = 60;

/**
 * Fuses rankings by reciprocal rank. An item that a ranking lacks counts as one behind its last. Ties keep the order
 * of the first ranking, then of the next.
 */
export function fuseRanks<Item>(rankings: readonly (readonly Item[])[]): Item[] {
  const scores = new Map<Item, number>(rankings.flat().map((item) => [item, 0]));
  for (const ranking of rankings) {
    const rankOf = new Map(ranking.map((item, rank) => [item, rank]));
    for (const [item, score] of scores)
      scores.set(item, score + 1 / (RANK_OFFSET + 1 + (rankOf.get(item) ?? ranking.length)));
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([item]) => item);
}

/**
 * Increase with every change to the splitting into sentences, passages and stems, and to the byte layout. Indexes of
 * other versions are then rebuilt.
 */
const INDEX_VERSION = 1;

export function sourceIndexKey(contentRef: ArtifactRef): string {
  return `source-index/${INDEX_VERSION}/${contentRef}`;
}

export function corpusIndexKey(manifestRef: ArtifactRef): string {
  return `corpus-index/${INDEX_VERSION}/${manifestRef}`;
}

export function sourceVectorsKey(embedder: string, contentRef: ArtifactRef): string {
  return `source-vectors/${INDEX_VERSION}/${embedder}/${contentRef}`;
}

export function corpusVectorsKey(embedder: string, manifestRef: ArtifactRef): string {
  return `corpus-vectors/${INDEX_VERSION}/${embedder}/${manifestRef}`;
}

export function questionVectorKey(embedder: string, question: string): string {
  return `question-vector/${INDEX_VERSION}/${embedder}/${question}`;
}
