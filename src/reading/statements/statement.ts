import { withoutAddresses } from '../../core/text/links';
import { type Effect, effectsTold, isComparing, isOfEffect } from '../../language/direction';
import { deniesEffect, isOfDenial, negationsIn } from '../../language/negation';
import { numbersIn } from '../../language/numbers';
import { type PlacedWord, placedWords } from '../../language/word-positions';
import { stemOf, STOP_WORDS } from '../../language/words';
import data from './data/statement-words.json';
import { type MeasuredValue, measuredValue } from './measured-value';
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
  /** What is more than a control or the usual. */
  comparedWith: ReadonlySet<string>;
  effects: readonly Effect[];
  verdict: Verdict | null;
  /** Whether it speaks of what others are compared with: `sleep did not improve with placebo`. */
  isOfComparator: boolean;
  /** Whether it calls its subject by what any source calls it: `the intervention group`. */
  isNameless: boolean;
  /** Whether it is only supposed, wished or asked. */
  isUncertain: boolean;
}

export interface Statement extends Told {
  /** The statements that the sentence is made of; itself where it is one. */
  parts: readonly Told[];
  figures: Figures;
  measured: MeasuredValue | null;
  /** The circumstances but the means: what something is measured with changes nothing of what is measured. */
  conditions: ReadonlySet<string>;
  negations: number;
  /** How often it has words of each of two conditions that exclude each other, pair by pair. */
  contraries: readonly (readonly number[])[];
  /** What is excepted: `in children, but not in adults`. */
  exceptions: ReadonlySet<string>;
  title: ReadonlySet<string>;
  among: ReadonlySet<string>;
}

const circumstances = new Set(data.circumstances);
const amongWhom = new Set(data.amongWhom);
const continuing = new Set(data.continuing);
const uncertain = new Set(data.uncertain);
const contraries = data.contraries.map((sides) => ({
  side: new Map(sides.flatMap((phrases, at) => phrases.map((phrase) => [phrase, at]))),
  pattern: new RegExp(
    `\\b(?:${sides
      .flat()
      .sort((a, b) => b.length - a.length)
      .join('|')})\\b`,
    'gi',
  ),
}));
const ofContraries = new Set(data.contraries.flat(2));
const comparators = new Set(data.comparators.map(stemOf));
const nameless = new Set(data.nameless.map(stemOf));
const PARTS = new RegExp(
  `[;:]\\s|,\\s(?=(?:${data.andAfterComma.join('|')})\\s)|,?\\s(?=(?:${data.joining.join('|')})\\s)`,
);
const LONGEST_PHRASE = 12;
export function readStatement(sentence: string, title = ''): Statement {
  const text = withoutAddresses(sentence);
  const parts = text.split(PARTS).filter((part) => /\p{L}/u.test(part));
  const whole = readTold(text);
  const words = placedWords(text);
  const titleWords = placedWords(title);
  const inTitle = phrasesIn(title, titleWords, ({ word }) => amongWhom.has(word));
  return {
    ...whole,
    parts: parts.length > 1 ? parts.map(readTold) : [whole],
    figures: figuresOf(withoutSureness(text)),
    measured: measuredValue(text),
    conditions: matterOf(
      '',
      within(
        words,
        phrasesIn(text, words, ({ word }) => circumstances.has(word) && word !== 'with'),
      ),
    ),
    negations: negationsIn(blanked(text, phrasesIn(text, words, isComparing, true))),
    contraries: contraries.map(({ side, pattern }) => {
      const counts = [0, 0];
      for (const [phrase] of text.matchAll(pattern)) {
        const at = side.get(phrase.toLowerCase()) ?? 0;
        counts[at] = (counts[at] ?? 0) + 1;
      }
      return counts;
    }),
    exceptions: matterOf('', within(words, phrasesIn(text, words, isException))),
    title: matterOf(title, titleWords),
    among: matterOf(
      inTitle.map(({ start, end }) => title.slice(start, end)).join(' '),
      within(titleWords, inTitle),
    ),
  };
}

function readTold(text: string): Told {
  const plain = withoutSureness(text);
  const words = placedWords(plain);
  const matter = statementMatter(text);
  const effects = effectsTold(text);
  const found = phrasesIn(plain, words, ({ word }) => circumstances.has(word));
  const told = [...matterOf('', within(words, found))];
  return {
    text,
    matter,
    circumstances: new Set(told.filter((stem) => matter.has(stem))),
    comparedWith: new Set(
      [...matterOf('', within(words, phrasesIn(plain, words, isComparing, true)))].filter(
        (stem) => !comparators.has(stem),
      ),
    ),
    effects,
    verdict: verdictOf(text, effects),
    isOfComparator: !/\bbetween\b/.test(text) && [...matter].some((stem) => comparators.has(stem)),
    isNameless: [...matter].some((stem) => nameless.has(stem)),
    isUncertain: text.endsWith('?') || placedWords(text).some(({ word }) => uncertain.has(word)),
  };
}

/**
 * What a statement is about: its words but function words, units of its figures and what tells of effects or denies them,
 * and the numbers that are names; without what its subject is compared with.
 */
export function statementMatter(text: string): ReadonlySet<string> {
  const plain = withoutSureness(text);
  const amounts = /\d/.test(plain) ? numbersIn(plain) : [];
  const measured = measuredValue(text);
  const spans = [
    ...amounts.map(({ start, endOfUnit }) => ({ start, end: endOfUnit })),
    ...(measured === null ? [] : [measured]),
  ];
  const words = placedWords(plain);
  const left = blanked(plain, [...spans, ...phrasesIn(plain, words, isComparing, true)]);
  return matterOf(
    left,
    words.filter(({ start }) => left[start] !== ' '),
  );
}

function blanked(text: string, phrases: readonly Phrase[]): string {
  return phrases.reduce(
    (left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
    text,
  );
}

function matterOf(text: string, words: readonly PlacedWord[]): Set<string> {
  const telling = words.filter(
    (word) =>
      !STOP_WORDS.has(word.word) && !ofContraries.has(word.word) && !isOfEffect(word) && !isOfDenial(word),
  );
  return new Set([
    ...telling.map(({ stem }) => stem),
    ...(text.match(/(?<![\p{L}\d])\d+(?:\.\d+)?(?![\p{L}\d])/gu) ?? []),
  ]);
}

function verdictOf(text: string, told: readonly Effect[]): Verdict | null {
  if (deniesEffect(text)) return 'none';
  if (told.length === 0) return null;
  return told.length === 1 ? (told[0] ?? null) : 'some';
}

function isException({ word }: PlacedWord, at: number, words: readonly PlacedWord[]): boolean {
  return circumstances.has(word) && words[at - 1]?.word === 'not' && words[at - 2]?.word === 'but';
}

interface Phrase {
  start: number;
  end: number;
}

function within(words: readonly PlacedWord[], phrases: readonly Phrase[]): PlacedWord[] {
  return words.filter((word) => phrases.some(({ start, end }) => word.start >= start && word.end <= end));
}

/** What follows such words up to punctuation, or to the next function word that begins something else; long ones take all. */
function phrasesIn(
  text: string,
  words: readonly PlacedWord[],
  opens: (word: PlacedWord, at: number, words: readonly PlacedWord[]) => boolean,
  isLong = false,
): Phrase[] {
  const found: Phrase[] = [];
  let open: Phrase | null = null;
  let length = 0;
  words.forEach((word, at) => {
    const isCut = /[,;:.()]/.test(text.slice(words[at - 1]?.end ?? 0, word.start));
    const isEnd = !isLong && STOP_WORDS.has(word.word) && !continuing.has(word.word);
    if (open !== null && (isCut || isEnd || length >= LONGEST_PHRASE)) open = null;
    if (open === null && opens(word, at, words)) {
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
