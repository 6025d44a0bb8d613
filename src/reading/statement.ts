import { type Effect, effectsTold, isComparing, isOfEffect } from '../language/direction';
import { deniesEffect, isOfDenial, negationsIn } from '../language/negation';
import { numbersIn } from '../language/numbers';
import { type PlacedWord, placedWords } from '../language/word-positions';
import { stemOf, STOP_WORDS } from '../language/words';
import comparison from './data/comparison-words.json';
import data from './data/statement-words.json';
import { significanceVotes } from './significance';
import { type Figures, figuresOf, withoutSureness } from './statement-figures';

/** What a text tells of: which way something went, that there was an effect, or that there was none. */
export type Verdict = Effect | 'some';

/** A text as another one is held against it. Words are stems. */
export interface Told {
  text: string;
  /** What it is about, without what its subject is compared with. */
  matter: ReadonlySet<string>;
  /** In what, in whom, under what it holds. */
  circumstances: ReadonlySet<string>;
  comparedWith: ReadonlySet<string>;
  verdict: Verdict | null;
  /** Whether it speaks of what others are compared with: `sleep did not improve with placebo`. */
  isOfComparator: boolean;
  /** Whether it calls its subject by what any study calls it: `the intervention group`. */
  isNameless: boolean;
}

export interface Statement extends Told {
  /** The statements that the sentence is made of; itself where it is one. */
  parts: readonly Told[];
  figures: Figures;
  effects: readonly Effect[];
  negations: number;
  /** Whether it is only supposed, wished or asked. */
  isUncertain: boolean;
  /** What its source's title is about, and in whom. */
  title: ReadonlySet<string>;
  among: ReadonlySet<string>;
}

const circumstances = new Set(data.circumstances);
const amongWhom = new Set(data.amongWhom);
const continuing = new Set(data.continuing);
const uncertain = new Set(data.uncertain);
const comparators = new Set(comparison.comparator.map(stemOf));
const nameless = new Set(
  [...comparison.nameless, ...comparison.intervention, ...comparison.comparator].map(stemOf),
);
const PARTS = new RegExp(
  `[;:]\\s|,\\s(?=(?:${data.andAfterComma.join('|')})\\s)|,?\\s(?=(?:${data.joining.join('|')})\\s)`,
);
const LONGEST_PHRASE = 8;
/** So much must speak for or against an effect where no word tells of more or of less. */
const LEAST_VOTES = 0.5;

export function readStatement(text: string, title = ''): Statement {
  const parts = text.split(PARTS).filter((part) => /\p{L}/u.test(part));
  return {
    ...readPart(text),
    parts: parts.map(readPart),
    figures: figuresOf(withoutSureness(text)),
    effects: effectsTold(text),
    negations: negationsIn(text),
    isUncertain: text.endsWith('?') || placedWords(text).some(({ word }) => uncertain.has(word)),
    title: matterOf(title),
    among: phrasesAfter(title, ({ word }) => amongWhom.has(word)),
  };
}

function readPart(text: string): Told {
  const plain = withoutSureness(text);
  const comparedWith = phrasesAfter(plain, isComparing, true);
  const found = phrasesAfter(plain, ({ word }) => circumstances.has(word));
  const matter = statementMatter(text);
  return {
    text,
    matter,
    circumstances: new Set([...found].filter((stem) => matter.has(stem))),
    comparedWith,
    verdict: verdictOf(text),
    isOfComparator: !/\bbetween\b/.test(text) && [...matter].some((stem) => comparators.has(stem)),
    isNameless: [...matter].some((stem) => nameless.has(stem)),
  };
}

/**
 * What a statement is about: its words but function words, units of its figures and what tells of effects or denies them,
 * and the numbers that are names; without what its subject is compared with.
 */
export function statementMatter(text: string): ReadonlySet<string> {
  let plain = withoutSureness(text);
  const amounts = /\d/.test(plain) ? numbersIn(plain) : [];
  for (const { start, end } of phrases(plain, isComparing, true).reverse())
    plain = blanked(plain, start, end);
  for (const { start, endOfUnit } of amounts) plain = blanked(plain, start, endOfUnit);
  return matterOf(plain);
}

function blanked(text: string, start: number, end: number): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

function matterOf(text: string): Set<string> {
  const telling = placedWords(text).filter(
    (word) => !STOP_WORDS.has(word.word) && !isOfEffect(word) && !isOfDenial(word),
  );
  const names = text.match(/\d+(?:\.\d+)?/g) ?? [];
  return new Set([...telling.map(({ stem }) => stem), ...names]);
}

function verdictOf(text: string): Verdict | null {
  const votes = significanceVotes([text]);
  if (votes <= -LEAST_VOTES || deniesEffect(text)) return 'none';
  const told = effectsTold(text);
  if (told.length > 0) return told.length === 1 ? (told[0] ?? null) : 'some';
  return votes >= LEAST_VOTES ? 'some' : null;
}

interface Phrase {
  start: number;
  end: number;
}

function phrasesAfter(text: string, opens: (word: PlacedWord) => boolean, isLong = false): Set<string> {
  return new Set(
    phrases(text, opens, isLong).flatMap(({ start, end }) => [...matterOf(text.slice(start, end))]),
  );
}

/** What follows such words up to punctuation, or to the next function word that begins something else; long ones take all. */
function phrases(text: string, opens: (word: PlacedWord) => boolean, isLong: boolean): Phrase[] {
  const words = placedWords(text);
  const found: Phrase[] = [];
  let open: Phrase | null = null;
  let length = 0;
  words.forEach((word, at) => {
    const isCut = /[,;:.()]/.test(text.slice(words[at - 1]?.end ?? 0, word.start));
    const isEnd = isLong ? false : STOP_WORDS.has(word.word) && !continuing.has(word.word);
    if (open !== null && (isCut || isEnd || length >= LONGEST_PHRASE)) open = null;
    if (open === null && opens(word)) {
      open = { start: word.start, end: word.end };
      length = 0;
      found.push(open);
    } else if (open !== null) {
      open.end = word.end;
      length += 1;
    }
  });
  return found;
}
