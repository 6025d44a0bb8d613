import { rarityOf } from '../reading/features/rarity';
import { splitSentences } from '../language/sentences';
import { tokensOf } from '../language/tokens';
import { terms } from '../language/words';
import { abbreviationsIn } from '../language/abbreviations';
import { type HeldNumber, heldNumbers } from './held-numbers';
import type { Passage } from './claim-material';
import { clausesOf } from './clauses';
import { type IndexedPassage, indexPassage } from './score/index-passage';
import { type StatementToken, statementTokens } from './statement-tokens';

/** A sentence of a passage; `start` and `end` are places in the passage's text. */
interface PlacedSentence {
  passage: number;
  start: number;
  end: number;
}

/**
 * Passages made ready for many claims: where each word stands is known from the start, the tokens and numbers of a sentence are
 * made when they are first asked for, and kept.
 */
export interface PreparedPassages {
  readonly passages: readonly Passage[];
  readonly sentences: readonly PlacedSentence[];
  /** The first sentence of each passage, and behind the last one how many sentences there are. */
  readonly firstSentences: readonly number[];
  /** The sentences that hold a word, by its stem, in order. */
  readonly holdersOf: (stem: string) => readonly number[];
  readonly rarityOf: (stem: string) => number;
  readonly textOf: (sentence: number) => string;
  /** What the sentence says word by word, and each statement that it joins to others. */
  readonly statementsOf: (sentence: number) => readonly (readonly StatementToken[])[];
  readonly numbersOf: (sentence: number) => readonly HeldNumber[];
  /** Whether a word of the passage begins as that one does: `Germany` for `German`. */
  readonly hasWordLike: (passage: number, word: string) => boolean;
  readonly indexedPassage: (passage: number) => IndexedPassage;
  /** A passage as stretches of whole sentences that are short enough to be shown; the same for every claim. */
  readonly stretchesOf: (passage: number) => readonly Stretch[];
  /** What any passage shortens so, word by word. */
  readonly longFormOf: (abbreviation: string) => readonly string[] | undefined;
}

/** Sentences that follow one another, both ends included. */
export interface Stretch {
  first: number;
  last: number;
}

/** A stretch ends before it grows longer; a sentence that is longer is one by itself. */
const STRETCH_CHARS = 1_000;
/** Words of one family begin alike, by so many letters at least, and by so much of the one that is looked for. */
const SHORTEST_START = 5;
const COMMON_START = 0.7;
const NONE: readonly number[] = [];

/**
 * Pure; in one run over the texts. `definitions` are further texts, such as the report that the claims are of, in which
 * abbreviations are introduced.
 */
export function preparePassages(
  passages: readonly Passage[],
  definitions: readonly string[] = [],
): PreparedPassages {
  const sentences: PlacedSentence[] = [];
  const firstSentences: number[] = [];
  const holders = new Map<string, number[]>();
  for (const [passage, { text }] of passages.entries()) {
    firstSentences.push(sentences.length);
    for (const { start, end, text: sentence } of splitSentences(text)) {
      const at = sentences.push({ passage, start, end }) - 1;
      for (const stem of new Set(terms(sentence))) {
        const held = holders.get(stem);
        if (held === undefined) holders.set(stem, [at]);
        else held.push(at);
      }
    }
  }
  firstSentences.push(sentences.length);
  const textOf = (sentence: number): string => {
    const placed = sentences[sentence];
    return placed === undefined ? '' : (passages[placed.passage]?.text.slice(placed.start, placed.end) ?? '');
  };
  const wordsOf = kept((passage) => [...new Set(tokensOf(passages[passage]?.text ?? ''))]);
  let abbreviations: Map<string, string[]> | undefined;
  const holdersOf = (stem: string): readonly number[] => holders.get(stem) ?? NONE;
  return {
    passages,
    sentences,
    firstSentences,
    holdersOf,
    rarityOf: (stem) => rarityOf(stem, holdersOf(stem).length, sentences.length),
    textOf,
    statementsOf: kept((sentence) => {
      const text = textOf(sentence);
      return [...new Set([text, ...clausesOf(text)])].map(statementTokens);
    }),
    numbersOf: kept((sentence) => heldNumbers(textOf(sentence))),
    longFormOf: (abbreviation) => {
      abbreviations ??= new Map(
        [...passages.map(({ text }) => text), ...definitions].flatMap((text) => [...abbreviationsIn(text)]),
      );
      return abbreviations.get(abbreviation);
    },
    stretchesOf: kept((passage) =>
      stretchesIn(sentences, firstSentences[passage] ?? 0, firstSentences[passage + 1] ?? 0),
    ),
    indexedPassage: kept((passage) => indexPassage(passages[passage]?.text ?? '')),
    hasWordLike: (passage, word) => {
      const start = word.slice(0, Math.max(SHORTEST_START, Math.ceil(word.length * COMMON_START)));
      return word.length >= SHORTEST_START && wordsOf(passage).some((other) => other.startsWith(start));
    },
  };
}

function stretchesIn(sentences: readonly PlacedSentence[], from: number, to: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = from; at < to; at += 1) {
    const open = stretches.at(-1);
    const length = (sentences[at]?.end ?? 0) - (sentences[open?.first ?? at]?.start ?? 0);
    if (open !== undefined && length <= STRETCH_CHARS) open.last = at;
    else stretches.push({ first: at, last: at });
  }
  return stretches;
}

function kept<Made>(make: (at: number) => Made): (at: number) => Made {
  const made = new Map<number, Made>();
  return (at) => {
    const known = made.get(at);
    if (known !== undefined) return known;
    const fresh = make(at);
    made.set(at, fresh);
    return fresh;
  };
}
