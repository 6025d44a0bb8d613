import type { Passage, WordCounts } from '../contracts/source';
import { groupedBy } from '../lib/iterables';
import data from './data/back-matter-headings.json';
import { type Question, readQuestion } from './question';
import { splitPassages, splitSentences, tokensOf } from './sentences';
import { stemOf, STOP_WORDS } from './words';

export interface ReadableSource {
  id: string;
  title: string;
  sentences: readonly string[];
  /** Stems that stand elsewhere in it, where these are not all of its sentences. */
  alsoHolds?: readonly string[] | undefined;
}

export interface IndexedSource {
  id: string;
  title: string;
  titleWords: ReadonlySet<number>;
  alsoHolds: readonly string[];
  /** Places of its sentences in the collection, `to` exclusive. */
  from: number;
  to: number;
}

/** Sentences with their words as numbers, so that a question is held against all of them in one go. */
export interface Collection {
  sources: readonly IndexedSource[];
  texts: readonly string[];
  /** For each sentence the source's place, and its stems in order. */
  sourceOf: Int32Array;
  stems: readonly Int32Array[];
  vocabulary: ReadonlyMap<string, number>;
  /** In how many sentences a stem stands, by its number. */
  holders: Int32Array;
  averageLength: number;
}

class Numbering {
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
  const numbering = new Numbering();
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
    holders: countHolders(stems, numbering.numbers.size),
    averageLength: Math.max(
      1,
      stems.reduce((sum, { length }) => sum + length, 0) / Math.max(1, stems.length),
    ),
  };
}

function countHolders(stems: readonly Int32Array[], size: number): Int32Array {
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

/** A sentence of a source: `content.slice(start, end) === text`. */
export interface SourceSentence {
  start: number;
  end: number;
  text: string;
  /** The place of its passage among those that were read. */
  passage: number;
}

/** Fewer letters say nothing that could be quoted; the rest of a sentence is not looked through. */
const ENOUGH_LETTERS = /(?:\p{L}\P{L}*){12}/u;
/** A letter of a script without cases may be a word of its own. */
const ENOUGH_UNSPACED = /(?:\p{L}\P{L}*){4}/u;
const UNSPACED_LETTER = /\p{Lo}/u;

export function sentencesOfSource(content: string): SourceSentence[] {
  return sentencesOfPassages(splitPassages(content));
}

/**
 * The sentences of passages, in their order, without headings and back matter. A source that is nothing but back matter, by
 * its title or otherwise, is read all the same.
 */
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
const MOST_WORDS = 12;

const known = new Map<string, boolean>();

/** True where one of the headings above a passage says that it is not the document's own account: references, thanks, rights. */
export function isBackMatter(headings: readonly string[]): boolean {
  return headings.some((heading) => {
    const cached = known.get(heading);
    if (cached !== undefined) return cached;
    // A heading may hold a path of its own: `BODY.COMPETING INTERESTS`.
    const answer = heading.split(/\.(?=\S)/).some(namesBackMatter);
    if (known.size > 20_000) known.clear();
    known.set(heading, answer);
    return answer;
  });
}

/** Every word counts, so that `Funding and acknowledgements` is back matter, and `Funding of small firms` is not. */
function namesBackMatter(part: string): boolean {
  let words = wordsOf(part);
  if (words.length > MOST_WORDS) return false;
  let found = false;
  while (words.length > 0) {
    const named = HEADINGS.find((heading) => heading.every((word, at) => words[at] === word));
    if (named === undefined && !mayStandAround(words[0] ?? '')) return false;
    found ||= named !== undefined;
    words = words.slice(named?.length ?? 1);
  }
  return found;
}

function mayStandAround(word: string): boolean {
  return STOP_WORDS.has(word) || AROUND.has(word);
}

/** In lower case and the singular: `Authors’ contributions` is `author contribution`. */
function wordsOf(part: string): string[] {
  const words = part.toLowerCase().match(/\p{L}+(?:['’]s)?/gu) ?? [];
  return words.map((word) => word.replace(/['’]?s$/, ''));
}

/** Words that share so many letters at their start may be forms of one, and count by half. */
export const SHARED_START = 5;
export const FORM_SHARE = 0.5;
/** Of two forms of one word neither is longer than what they share by more. */
const LONGEST_ENDING = 5;

/** Where a question's words stand. Rows are sentences or sources, columns the question's words. */
export interface Matches {
  columns: number;
  counts: Float32Array;
  /** 1 where a sentence has the word, 0.5 where it has another form of it, else 0. */
  held: Float32Array;
  /** The column of a stem by its number in the collection; absent for words that were not asked for. */
  columnOf: ReadonlyMap<number, number>;
}

export function matchWords({ words }: Question, { vocabulary, stems }: Collection): Matches {
  const columns = words.length;
  const columnOf = new Map<number, number>();
  words.forEach((word, column) => {
    const number = vocabulary.get(word);
    if (number !== undefined) columnOf.set(number, column);
  });
  const formOf = otherForms(words, vocabulary);
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
        if (held[row + form] === 0) held[row + form] = FORM_SHARE;
      }
    }
  });
  return { columns, counts, held, columnOf };
}

/** By a stem's number, the columns of which it may be another form. */
function otherForms(
  words: readonly string[],
  vocabulary: ReadonlyMap<string, number>,
): Map<number, number[]> {
  const long = words.flatMap((word, column) => (word.length >= SHARED_START ? [{ word, column }] : []));
  const byStart = groupedBy(long, ({ word }) => word.slice(0, SHARED_START));
  const forms = new Map<number, number[]>();
  for (const [stem, number] of byStart.size === 0 ? [] : vocabulary) {
    if (stem.length < SHARED_START) continue;
    for (const { word, column } of byStart.get(stem.slice(0, SHARED_START)) ?? []) {
      if (stem !== word && areForms(stem, word)) forms.set(number, [...(forms.get(number) ?? []), column]);
    }
  }
  return forms;
}

export function areForms(one: string, other: string): boolean {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared >= Math.max(SHARED_START, Math.max(one.length, other.length) - LONGEST_ENDING);
}

/** What asks (“papers”, “recent”) weighs so much of what is asked about. */
const ASKING_SHARE = 0.3;

/** Rarity is counted within what is read; there is no table of how frequent a language's words are. */
export function countWords({ words }: Question, { texts, vocabulary, holders }: Collection): WordCounts {
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
 * What is supposed before anything is read: as if so many sentences had been read already, in which a word is the rarer the
 * longer it is (Zipf's law of abbreviation). It tells apart the words of a question where there are few sentences to count in.
 */
const SUPPOSED_SENTENCES = 1_000;
const SUPPOSED_SHARE = 0.05;
const RARER_A_LETTER = 0.3;
const SHORTEST = 3;
const NUMBERS_SHARE = 0.1;

/** The weight of each of the question's words, in their order: Robertson and Sparck Jones's, as in BM25. */
export function weightsOf({ words, asking }: Question, { sentences, holders }: WordCounts): Float64Array {
  return Float64Array.from(
    words,
    (word) => rarityOf(word, holders[word] ?? 0, sentences) * (asking.has(word) ? ASKING_SHARE : 1),
  );
}

/** How rare a word is that so many of the sentences hold: its weight in BM25. */
export function rarityOf(word: string, holding: number, sentences: number): number {
  const all = sentences + SUPPOSED_SENTENCES;
  const having = holding + SUPPOSED_SENTENCES * supposedShare(word);
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function supposedShare(word: string): number {
  const share = SUPPOSED_SHARE * Math.exp(-RARER_A_LETTER * Math.max(0, word.length - SHORTEST));
  return /^\p{N}/u.test(word) ? share * NUMBERS_SHARE : share;
}

/** A stem and all forms of its word begin alike. */
const SHORTEST_TERM = 3;

export interface WordSurvey {
  counts: WordCounts;
  /** For each text the words (stems) of the question that stand anywhere in it. */
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
    const isElsewhere = beyondSentences(texts[at] ?? '');
    return asked.words.filter((word, column) => {
      for (let row = from; row < to; row += 1) if ((counts[row * columns + column] ?? 0) > 0) return true;
      return isElsewhere(word);
    });
  });
  return { counts: countWords(asked, collection), held };
}

/** Tells whether a text has a word also in its headings, tables and lists, which are no sentences. */
function beyondSentences(text: string): (word: string) => boolean {
  let tokens: string[] | undefined;
  return (word) => {
    const start = word.slice(0, SHORTEST_TERM);
    tokens ??= tokensOf(text);
    return tokens.some((token) => token.startsWith(start) && stemOf(token) === word);
  };
}
