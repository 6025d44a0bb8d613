import askingWords from '../../language/data/asking-words.json';
import { stemOf, terms } from '../../language/words';
import { tokensOf } from '../../language/tokens';
import { asksWhether } from './asked-change';
import { asksForEffect, asksOfValues, kindOfQuestion, parted, type QuestionKind } from './question-kind';

/** A question as the reader sees it. Words are stems. */
export interface Question {
  text: string;
  kind: QuestionKind;
  asksForEffect: boolean;
  asksWhether: boolean;
  asksOfValues: boolean;
  /** The distinct content words, in order. */
  words: readonly string[];
  /** Those of them that ask (“papers”, “recent”) rather than say what is asked about. */
  asking: ReadonlySet<string>;
  /** Its phrases: what is looked for is met as far as each of them is. */
  concepts: readonly (readonly string[])[];
  /** The words of what a change is asked of; else of the last phrase. */
  last: readonly string[];
  /** All of its words as they stand, in lower case. */
  said: ReadonlySet<string>;
  /** Words with a capital that do not open it, and words that are numbers. */
  names: readonly string[];
  numbers: readonly string[];
}

const ASKING = new Set(askingWords.words.map(stemOf));

/** Whether a word asks for something (“study”, “list”) rather than says what. */
export function isAskingWord(word: string): boolean {
  return ASKING.has(stemOf(word.toLowerCase()));
}

/** Takes a question, a claim or any other text apart. Never throws; a text without words has none. */
export function readQuestion(text: string): Question {
  const effect = asksForEffect(text);
  const phrases = parted(text, effect).map((phrase) => ({
    words: terms(phrase.text),
    isOutcome: phrase.isOutcome,
  }));
  const concepts = phrases.flatMap(({ words }) => (words.length === 0 ? [] : [words]));
  const behind = phrases.filter(({ isOutcome }) => isOutcome);
  const wordsOf = (those: readonly { words: string[] }[]): string[] => [
    ...new Set(those.flatMap(({ words }) => words)),
  ];
  const last = behind.length > 0 ? wordsOf(behind) : [...new Set(concepts.at(-1) ?? [])];
  const words = [...new Set(concepts.flat())];
  const held = new Set(words);
  const named = [...text.matchAll(/(?<=\s)\p{Lu}[\p{L}\p{N}'’-]*/gu)].flatMap(([name]) => terms(name));
  return {
    text,
    kind: kindOfQuestion(text, effect),
    asksForEffect: effect,
    asksWhether: asksWhether(text),
    asksOfValues: !effect && asksOfValues(text),
    words,
    asking: new Set(words.filter((word) => ASKING.has(word))),
    concepts,
    last,
    said: new Set(tokensOf(text)),
    names: [...new Set(named.filter((word) => held.has(word)))],
    numbers: words.filter((word) => /^\p{N}/u.test(word)),
  };
}
