import type { Passage, WordCounts } from '../contracts/source';
import { groupBy } from '../lib/iterables';
import data from './data/back-matter-headings.json';
import { type Question, readQuestion } from './question';
import { splitPassages, splitSentences, tokensOf } from './sentences';
import { stemOf, STOP_WORDS } from './words';

export interface ReadableSource {
  id: string;
  title: string;
  sentences: readonly string[];
  /** Stems that occur elsewhere in the source if `sentences` are not all of it. */
  alsoHolds?: readonly string[] | undefined;
}

export interface IndexedSource {
  id: string;
  title: string;
  titleWords: ReadonlySet<number>;
  alsoHolds: readonly string[];
  from: number;
  to: number;
}

/** Sentences with their stems as numbers, so that one pass matches a question with all of them. */
export interface Collection {
  sources: readonly IndexedSource[];
  texts: readonly string[];
  sourceOf: Int32Array;
  stems: readonly Int32Array[];
  vocabulary: ReadonlyMap<string, number>;
  holders: Int32Array;
  averageLength: number;
}

class StemNumbers {
  readonly numbers = new Map<string, number>();
  readonly #byToken = new Map<string, number>();

  of(token: string): number {
    const known = this.#byToken.get(token);
    if (known !== undefined) return known;
    const stem = stemOf(token);
    const number = this.numbers.get(stem) ?? this.numbers.size;
    this.numbers.set(stem, number);
    this.#byToken.set(token, number);
    return number;
  }
}

export function indexSources(sources: readonly ReadableSource[]): Collection {
  const numbering = new StemNumbers();
  const numbersOf = (text: string): Int32Array =>
    Int32Array.from(tokensOf(text).map((token) => numbering.of(token)));
  const texts: string[] = [];
  const stems: Int32Array[] = [];
  const places: number[] = [];
  const indexed = sources.map(({ id, title, sentences, alsoHolds = [] }, place): IndexedSource => {
    const from = texts.length;
    for (const text of sentences) {
      texts.push(text);
      stems.push(numbersOf(text));
      places.push(place);
    }
    return { id, title, titleWords: new Set(numbersOf(title)), alsoHolds, from, to: texts.length };
  });
  return {
    sources: indexed,
    texts,
    sourceOf: Int32Array.from(places),
    stems,
    vocabulary: numbering.numbers,
    holders: sentenceFrequencies(stems, numbering.numbers.size),
    averageLength: Math.max(
      1,
      stems.reduce((sum, { length }) => sum + length, 0) / Math.max(1, stems.length),
    ),
  };
}

function sentenceFrequencies(stems: readonly Int32Array[], size: number): Int32Array {
  const holders = new Int32Array(size);
  const lastSeen = new Int32Array(size).fill(-1);
  stems.forEach((numbers, sentence) => {
    for (const number of numbers) {
      if (lastSeen[number] === sentence) continue;
      lastSeen[number] = sentence;
      holders[number] = (holders[number] ?? 0) + 1;
    }
  });
  return holders;
}

export interface SourceSentence {
  start: number;
  end: number;
  text: string;
  passage: number;
}

/** The regular expression stops at the 12th letter: shorter sentences are not worth quoting. */
const ENOUGH_LETTERS = /(?:\p{L}\P{L}*){12}/u;
/** In scripts without case, a letter may be a word. */
const ENOUGH_UNSPACED = /(?:\p{L}\P{L}*){4}/u;
const UNSPACED_LETTER = /\p{Lo}/u;

export function sentencesOfSource(content: string): SourceSentence[] {
  return sentencesOfPassages(splitPassages(content));
}

/** The sentences of passages in order, without back matter. Back matter is included if the source has nothing else. */
export function sentencesOfPassages(passages: readonly Passage[]): SourceSentence[] {
  const isRead = passages.map(({ headings }) => !isBackMatter(headings));
  const readsAll = !isRead.includes(true);
  return passages.flatMap(({ start: offset, text: passage }, at) => {
    if (!readsAll && isRead[at] !== true) return [];
    return splitSentences(passage).flatMap(({ start, end, text }) =>
      hasLetters(text) ? [{ start: offset + start, end: offset + end, text, passage: at }] : [],
    );
  });
}

function hasLetters(text: string): boolean {
  return ENOUGH_LETTERS.test(text) || (ENOUGH_UNSPACED.test(text) && UNSPACED_LETTER.test(text));
}

const HEADINGS = data.headings.map((heading) => heading.split(' '));
const AROUND: ReadonlySet<string> = new Set(data.around);
const MAX_HEADING_WORDS = 12;

const backMatterCache = new Map<string, boolean>();

export function isBackMatter(headings: readonly string[]): boolean {
  return headings.some((heading) => {
    const cached = backMatterCache.get(heading);
    if (cached !== undefined) return cached;
    // A heading may be a path: `BODY.COMPETING INTERESTS`.
    const answer = heading.split(/\.(?=\S)/).some(namesBackMatter);
    if (backMatterCache.size > 20_000) backMatterCache.clear();
    backMatterCache.set(heading, answer);
    return answer;
  });
}

/** All words must match: `Funding and acknowledgements` is back matter, `Funding of small firms` is not. */
function namesBackMatter(part: string): boolean {
  let words = headingWords(part);
  if (words.length > MAX_HEADING_WORDS) return false;
  let found = false;
  while (words.length > 0) {
    const named = HEADINGS.find((heading) => heading.every((word, at) => words[at] === word));
    if (named === undefined && !isHeadingFiller(words[0] ?? '')) return false;
    found ||= named !== undefined;
    words = words.slice(named?.length ?? 1);
  }
  return found;
}

function isHeadingFiller(word: string): boolean {
  return STOP_WORDS.has(word) || AROUND.has(word);
}

/** Lower case and singular: `Authors’ contributions` becomes `author contribution`. */
function headingWords(part: string): string[] {
  const words = part.toLowerCase().match(/\p{L}+(?:['’]s)?/gu) ?? [];
  return words.map((word) => word.replace(/['’]?s$/, ''));
}

/** Stems with this many equal first letters may be forms of one word; a form counts half. */
export const SHARED_PREFIX_LENGTH = 5;
export const WORD_FORM_WEIGHT = 0.5;
/** Maximum length of the endings in which two forms of a word differ. */
const MAX_ENDING_LENGTH = 5;

/** Matrices of question words: rows are sentences, columns are the question's words. */
export interface Matches {
  columns: number;
  counts: Float32Array;
  /** 1 if a sentence has the word, 0.5 if it has another form of it, else 0. */
  held: Float32Array;
  /** Column by stem number; absent for words that are not in the question. */
  columnOf: ReadonlyMap<number, number>;
}

export function matchWords({ words }: Question, { vocabulary, stems }: Collection): Matches {
  const columns = words.length;
  const columnOf = new Map<number, number>();
  words.forEach((word, column) => {
    const number = vocabulary.get(word);
    if (number !== undefined) columnOf.set(number, column);
  });
  const formOf = wordFormColumns(words, vocabulary);
  const counts = new Float32Array(stems.length * columns);
  const held = new Float32Array(stems.length * columns);
  stems.forEach((numbers, sentence) => {
    const row = sentence * columns;
    for (const number of numbers) {
      const column = columnOf.get(number);
      if (column !== undefined) {
        counts[row + column] = (counts[row + column] ?? 0) + 1;
        held[row + column] = 1;
      }
      for (const form of formOf.get(number) ?? []) {
        if (held[row + form] === 0) held[row + form] = WORD_FORM_WEIGHT;
      }
    }
  });
  return { columns, counts, held, columnOf };
}

function wordFormColumns(
  words: readonly string[],
  vocabulary: ReadonlyMap<string, number>,
): Map<number, number[]> {
  const long = words.flatMap((word, column) =>
    word.length >= SHARED_PREFIX_LENGTH ? [{ word, column }] : [],
  );
  const byStart = groupBy(long, ({ word }) => word.slice(0, SHARED_PREFIX_LENGTH));
  const forms = new Map<number, number[]>();
  for (const [stem, number] of byStart.size === 0 ? [] : vocabulary) {
    if (stem.length < SHARED_PREFIX_LENGTH) continue;
    for (const { word, column } of byStart.get(stem.slice(0, SHARED_PREFIX_LENGTH)) ?? []) {
      if (stem !== word && areWordForms(stem, word))
        forms.set(number, [...(forms.get(number) ?? []), column]);
    }
  }
  return forms;
}

export function areWordForms(one: string, other: string): boolean {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared >= Math.max(SHARED_PREFIX_LENGTH, Math.max(one.length, other.length) - MAX_ENDING_LENGTH);
}

/** Weight of words that ask (“papers”, “recent”) relative to words that name the subject. */
const ASKING_SHARE = 0.3;

/** Number of sentences of the collection that have each word of the question. No general word frequencies are used. */
export function countQuestionTerms(
  { words }: Question,
  { texts, vocabulary, holders }: Collection,
): WordCounts {
  const count = (word: string): number => holders[vocabulary.get(word) ?? -1] ?? 0;
  return { sentences: texts.length, holders: Object.fromEntries(words.map((word) => [word, count(word)])) };
}

export function addCounts(parts: readonly WordCounts[]): WordCounts {
  const holders: Record<string, number> = {};
  for (const part of parts)
    for (const [word, count] of Object.entries(part.holders)) holders[word] = (holders[word] ?? 0) + count;
  return { sentences: parts.reduce((sum, part) => sum + part.sentences, 0), holders };
}

/**
 * Prior for small collections: this many sentences were read before, in which longer words are rarer (Zipf's law of
 * abbreviation). Without it, a few sentences do not tell the question's words apart.
 */
const PRIOR_SENTENCES = 1_000;
const PRIOR_SHARE = 0.05;
const PRIOR_DECAY = 0.3;
const SHORT_WORD_LENGTH = 3;
const NUMBER_PRIOR_FACTOR = 0.1;

/** Weight by question word, in order: Robertson and Spärck Jones, as in BM25. */
export function questionWeights(
  { words, asking }: Question,
  { sentences, holders }: WordCounts,
): Float64Array {
  return Float64Array.from(
    words,
    (word) => smoothedIdf(word, holders[word] ?? 0, sentences) * (asking.has(word) ? ASKING_SHARE : 1),
  );
}

export function smoothedIdf(word: string, holding: number, sentences: number): number {
  const all = sentences + PRIOR_SENTENCES;
  const having = holding + PRIOR_SENTENCES * priorShare(word);
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function priorShare(word: string): number {
  const share = PRIOR_SHARE * Math.exp(-PRIOR_DECAY * Math.max(0, word.length - SHORT_WORD_LENGTH));
  return /^\p{N}/u.test(word) ? share * NUMBER_PRIOR_FACTOR : share;
}

/** All forms of a word share their first letters. */
const STEM_PREFIX_LENGTH = 3;

export interface WordSurvey {
  counts: WordCounts;
  held: string[][];
}

export function surveyTexts(question: string, texts: readonly string[]): WordSurvey {
  const asked = readQuestion(question);
  const collection = indexSources(
    texts.map((text, at) => ({
      id: `${at}`,
      title: '',
      sentences: sentencesOfSource(text).map((sentence) => sentence.text),
    })),
  );
  const { columns, counts } = matchWords(asked, collection);
  const held = collection.sources.map(({ from, to }, at) => {
    const isElsewhere = createWordTest(texts[at] ?? '');
    return asked.words.filter((word, column) => {
      for (let row = from; row < to; row += 1) if ((counts[row * columns + column] ?? 0) > 0) return true;
      return isElsewhere(word);
    });
  });
  return { counts: countQuestionTerms(asked, collection), held };
}

/** Tests whether a text has a word, its headings, tables and lists included. */
function createWordTest(text: string): (word: string) => boolean {
  let tokens: string[] | undefined;
  return (word) => {
    const start = word.slice(0, STEM_PREFIX_LENGTH);
    tokens ??= tokensOf(text);
    return tokens.some((token) => token.startsWith(start) && stemOf(token) === word);
  };
}
