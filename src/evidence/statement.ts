import { withoutAddresses } from '../lib/untrusted-text';
import {
  numbersIn,
  powerOfTenAfter,
  sameNumber,
  type TextNumber,
  unitNamed,
  unitRatio,
} from '../text/numbers';
import {
  type Effect,
  isComparisonWord,
  isDenialWord,
  isEffectWord,
  negationsIn,
  reportedEffects,
  reportsNoEffect,
} from '../text/polarity';
import { type PlacedWord, placedWords, stemOf, STOP_WORDS } from '../text/words';
import data from './data/statement-words.json';

export type Verdict = Effect | 'some';

/** A text prepared for comparison. Words are stems. */
export interface StatementPart {
  text: string;
  matter: ReadonlySet<string>;
  circumstances: ReadonlySet<string>;
  /** Comparators other than controls and usual care. */
  comparedWith: ReadonlySet<string>;
  effects: readonly Effect[];
  verdict: Verdict | null;
  /** True if it is about the comparator: `sleep did not improve with placebo`. */
  isOfComparator: boolean;
  /** True if its subject has a generic name: `the intervention group`. */
  isNameless: boolean;
  isUncertain: boolean;
}

export interface Statement extends StatementPart {
  parts: readonly StatementPart[];
  figures: Figures;
  measured: MeasuredValue | null;
  /** Circumstances without the means: the instrument does not change the measured thing. */
  conditions: ReadonlySet<string>;
  negations: number;
  /** Counts of words for both sides of each pair of exclusive conditions. */
  contraries: readonly (readonly number[])[];
  /** Exceptions: `in children, but not in adults`. */
  exceptions: ReadonlySet<string>;
  title: ReadonlySet<string>;
  among: ReadonlySet<string>;
}

const circumstances = new Set(data.circumstances);
const populationWords = new Set(data.amongWhom);
const continuingWords = new Set(data.continuing);
const uncertaintyWords = new Set(data.uncertain);
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
const contraryWords = new Set(data.contraries.flat(2));
const comparators = new Set(data.comparators.map(stemOf));
const genericSubjects = new Set(data.nameless.map(stemOf));
const PART_SEPARATOR = new RegExp(
  `[;:]\\s|,\\s(?=(?:${data.andAfterComma.join('|')})\\s)|,?\\s(?=(?:${data.joining.join('|')})\\s)`,
);
const MAX_PHRASE_WORDS = 12;

export function readStatement(sentence: string, title = ''): Statement {
  const text = withoutAddresses(sentence);
  const parts = text.split(PART_SEPARATOR).filter((part) => /\p{L}/u.test(part));
  const whole = readStatementPart(text);
  const words = placedWords(text);
  const titleWords = placedWords(title);
  const inTitle = phrasesIn(title, titleWords, ({ word }) => populationWords.has(word));
  return {
    ...whole,
    parts: parts.length > 1 ? parts.map(readStatementPart) : [whole],
    figures: figuresOf(withoutPrecision(text)),
    measured: measuredValue(text),
    conditions: contentStems(
      '',
      wordsWithin(
        words,
        phrasesIn(text, words, ({ word }) => circumstances.has(word) && word !== 'with'),
      ),
    ),
    negations: negationsIn(blankOut(text, phrasesIn(text, words, isComparisonWord, true))),
    contraries: contraries.map(({ side, pattern }) => {
      const counts = [0, 0];
      for (const [phrase] of text.matchAll(pattern)) {
        const at = side.get(phrase.toLowerCase()) ?? 0;
        counts[at] = (counts[at] ?? 0) + 1;
      }
      return counts;
    }),
    exceptions: contentStems('', wordsWithin(words, phrasesIn(text, words, isException))),
    title: contentStems(title, titleWords),
    among: contentStems(
      inTitle.map(({ start, end }) => title.slice(start, end)).join(' '),
      wordsWithin(titleWords, inTitle),
    ),
  };
}

function readStatementPart(text: string): StatementPart {
  const plain = withoutPrecision(text);
  const words = placedWords(plain);
  const matter = statementStems(text);
  const effects = reportedEffects(text);
  const found = phrasesIn(plain, words, ({ word }) => circumstances.has(word));
  const told = [...contentStems('', wordsWithin(words, found))];
  return {
    text,
    matter,
    circumstances: new Set(told.filter((stem) => matter.has(stem))),
    comparedWith: new Set(
      [...contentStems('', wordsWithin(words, phrasesIn(plain, words, isComparisonWord, true)))].filter(
        (stem) => !comparators.has(stem),
      ),
    ),
    effects,
    verdict: verdictOf(text, effects),
    isOfComparator: !/\bbetween\b/.test(text) && [...matter].some((stem) => comparators.has(stem)),
    isNameless: [...matter].some((stem) => genericSubjects.has(stem)),
    isUncertain: text.endsWith('?') || placedWords(text).some(({ word }) => uncertaintyWords.has(word)),
  };
}

/**
 * Stems of a statement's subject: content words and numbers in names, without units, comparators, and words of effects
 * and negation.
 */
export function statementStems(text: string): ReadonlySet<string> {
  const plain = withoutPrecision(text);
  const amounts = /\d/.test(plain) ? numbersIn(plain) : [];
  const measured = measuredValue(text);
  const spans = [
    ...amounts.map(({ start, endOfUnit }) => ({ start, end: endOfUnit })),
    ...(measured === null ? [] : [measured]),
  ];
  const words = placedWords(plain);
  const left = blankOut(plain, [...spans, ...phrasesIn(plain, words, isComparisonWord, true)]);
  return contentStems(
    left,
    words.filter(({ start }) => left[start] !== ' '),
  );
}

function blankOut(text: string, phrases: readonly Phrase[]): string {
  return phrases.reduce(
    (left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
    text,
  );
}

function contentStems(text: string, words: readonly PlacedWord[]): Set<string> {
  const telling = words.filter(
    (word) =>
      !STOP_WORDS.has(word.word) &&
      !contraryWords.has(word.word) &&
      !isEffectWord(word) &&
      !isDenialWord(word),
  );
  return new Set([
    ...telling.map(({ stem }) => stem),
    ...(text.match(/(?<![\p{L}\d])\d+(?:\.\d+)?(?![\p{L}\d])/gu) ?? []),
  ]);
}

function verdictOf(text: string, told: readonly Effect[]): Verdict | null {
  if (reportsNoEffect(text)) return 'none';
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

function wordsWithin(words: readonly PlacedWord[], phrases: readonly Phrase[]): PlacedWord[] {
  return words.filter((word) => phrases.some(({ start, end }) => word.start >= start && word.end <= end));
}

/** Text after an opening word up to punctuation, or to the next function word unless `isLong`. */
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
    const isEnd = !isLong && STOP_WORDS.has(word.word) && !continuingWords.has(word.word);
    if (open !== null && (isCut || isEnd || length >= MAX_PHRASE_WORDS)) open = null;
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

/** A value with its uncertainty: `67.4 ± 0.5 km/s/Mpc`, `73.3 s, with an uncertainty of 2 %`. */
export interface MeasuredValue {
  value: number;
  /** One standard error; several errors are combined. */
  error: number;
  /** As written: `km/s/Mpc`, `million years`; empty if absent. */
  unit: string;
  said: string;
  start: number;
  end: number;
  /** True for a sample, whose error is a spread: other samples have other values. */
  isOfSample: boolean;
}

/** Values this many standard errors apart contradict each other; physics calls 3 “evidence”. */
const CONTRADICTION_SIGMAS = 3;
const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`;
const VALUE = new RegExp(String.raw`(?<![\p{L}\d.,±])(${NUMBER})(?:\s?(?:±|\+/[-−–])\s?(${NUMBER}))?`, 'gu');
const UNIT = /^\s?(%|[\p{L}°][\p{L}\d°²³⁻¹·/^]*)/u;
const STATES_ERROR = /±|\+\/[-−–]|uncertaint/i;
const ERROR = new RegExp(String.raw`\buncertaint(?:y|ies) of (?:about |some )?(${NUMBER})\s?(%)?`, 'gi');
const MAX_VALUES = 3;
const SAMPLE_WORDS = new RegExp(`\\b(?:${data.ofSamples.join('|')})\\b`, 'i');
const OTHER_WORK = new RegExp(`\\b(?:${data.reportingOthers.join('|')})\\b`, 'i');

/**
 * The measured value of a statement, the most exact of several that agree. Null without an error, or if values
 * disagree or belong to other work.
 */
export function measuredValue(text: string): MeasuredValue | null {
  if (!STATES_ERROR.test(text) || OTHER_WORK.test(text)) return null;
  const values = valuesIn(text);
  const [best] = values.filter(({ error }) => error > 0).sort((a, b) => a.error - b.error);
  if (best === undefined || values.filter(({ error }) => error > 0).length > MAX_VALUES) return null;
  const others = values.filter(({ unit }) => unit === best.unit);
  return others.every((other) => other.error > 0 && !valuesContradict(best, other)) ? best : null;
}

export function haveConvertibleUnits({ unit }: MeasuredValue, { unit: other }: MeasuredValue): boolean {
  return unit === other || ratioOf(unit, other) !== null;
}

/** True if units match and the values differ by more than their errors allow. */
export function valuesContradict(one: MeasuredValue, other: MeasuredValue): boolean {
  const ratio = one.unit === other.unit ? 1 : ratioOf(one.unit, other.unit);
  if (ratio === null) return false;
  return (
    Math.abs(one.value * ratio - other.value) >
    CONTRADICTION_SIGMAS * Math.hypot(one.error * ratio, other.error)
  );
}

function ratioOf(unit: string, other: string): number | null {
  const [one, two] = [unitNamed(unit), unitNamed(other)];
  return one === null || two === null ? null : unitRatio(one.name, two.name);
}

function valuesIn(text: string): MeasuredValue[] {
  const isOfSample = SAMPLE_WORDS.test(text);
  const errors = [...text.matchAll(ERROR)].map(({ 0: whole, 1: error = '', 2: share, index }) => ({
    error: numberOf(error),
    isShare: share !== undefined,
    start: index,
    end: index + whole.length,
  }));
  const values = [...text.matchAll(VALUE)].flatMap(({ 0: whole, 1: digits = '', 2: error, index }) => {
    const after = index + whole.length;
    const { unit, length } = unitAfter(text.slice(after));
    const end = after + length;
    const isError = errors.some(({ start, end: endOfError }) => index >= start && index < endOfError);
    if (isError || (unit === '' && error === undefined)) return [];
    const said = text.slice(index, end);
    const value = { value: numberOf(digits), error: numberOf(error ?? '0'), unit };
    return [{ ...value, said, start: index, end, isOfSample }];
  });
  for (const { error, isShare, start } of errors) {
    const measured = values.findLast((value) => value.start < start && isMeasure(value.unit));
    if (measured === undefined) continue;
    measured.error = Math.hypot(measured.error, isShare ? (measured.value * error) / 100 : error);
  }
  return values;
}

function isMeasure(unit: string): boolean {
  return unit.includes('/') || unitNamed(unit) !== null;
}

function unitAfter(text: string): { unit: string; length: number } {
  const power = powerOfTenAfter(text)?.length ?? 0;
  const [whole = '', unit = ''] = UNIT.exec(text.slice(power)) ?? [];
  if (unitNamed(unit) === null && STOP_WORDS.has(unit.toLowerCase())) return { unit: '', length: 0 };
  return { unit: `${text.slice(0, power).trim()} ${unit}`.trim(), length: power + whole.length };
}

function numberOf(digits: string): number {
  return Number(digits.replace(/,/g, ''));
}

interface Figures {
  results: readonly Figure[];
  circumstances: readonly Figure[];
  dates: readonly Figure[];
}

export type Figure = TextNumber & { said: string };

const amounts = new Set(data.amounts);
const DOSE = new RegExp(`^\\s?(?:${data.doses.join('|')})\\b`);
/** Precision of a figure, and sample size: `± 2.1`, `95% CI 1 to 3`, `n = 40`. */
const PRECISION =
  /±\s?[\d.,·]*\d|\b\d\d(?:\.\d)?\s?%\s?(?:CI\b|confidence)[^();]*|\b[nptr]\s?[=<>≤≥]\s?[\d.,·]*\d/gi;
const P_VALUE = /\bp\s*(?:-?\s?values?)?\s*(?:for [\w ]{1,20})?(?:[<>=≤≥]|&[lg]t;)\s*(?:0?[.·]\d+|1[.·]0+)/gi;
const WORDS_BEHIND = /^(?:\s[\p{L}-]+){1,3}/u;
const DOSE_DIMENSIONS: ReadonlySet<string> = new Set(['mass', 'volume', 'activity', 'amount']);
const TIME_DIMENSIONS: ReadonlySet<string> = new Set(['time', 'months']);

/** Blanks out precision and p-values; offsets stay. */
function withoutPrecision(text: string): string {
  const blank = (found: string): string => ' '.repeat(found.length);
  return text.replace(PRECISION, blank).replace(P_VALUE, blank);
}

export function figuresOf(text: string): Figures {
  const results: Figure[] = [];
  const circumstances: Figure[] = [];
  const dates: Figure[] = [];
  for (const number of numbersIn(text)) {
    const figure = { ...number, said: text.slice(number.start, number.endOfUnit).trim() };
    if (number.isDate) dates.push(figure);
    else (isCircumstance(text, number) ? circumstances : results).push(figure);
  }
  return { results, circumstances, dates };
}

function isCircumstance(text: string, { unit, start, endOfUnit }: TextNumber): boolean {
  const [top = '', below] = unit.split('/');
  const kind = unitNamed(top)?.kind ?? '';
  const wordBefore = /(\p{L}+)\s$/u.exec(text.slice(Math.max(0, start - 16), start))?.[1] ?? '';
  if (kind === 'person' || (unit === '' && countsPeople(text.slice(endOfUnit)))) return true;
  if (TIME_DIMENSIONS.has(kind)) return below !== undefined || !amounts.has(wordBefore);
  const isPerTime = below !== undefined && TIME_DIMENSIONS.has(unitNamed(below)?.kind ?? '');
  return DOSE_DIMENSIONS.has(kind) && (isPerTime || DOSE.test(text.slice(endOfUnit)));
}

/** `older adults` behind a number: a word or two may precede the noun. */
function countsPeople(after: string): boolean {
  const words = WORDS_BEHIND.exec(after)?.[0].trim().toLowerCase().split(/\s/) ?? [];
  const noun = words.findIndex((word) => unitNamed(word)?.kind === 'person');
  return noun >= 0 && words.slice(0, noun).every((word) => !STOP_WORDS.has(word));
}

/** Figures of each side that the other lacks, with repeats. */
export function unmatchedFigures(one: readonly Figure[], other: readonly Figure[]): [Figure[], Figure[]] {
  const left = [...other];
  const own = one.filter((figure) => {
    const at = left.findIndex((known) => sameNumber(figure, known));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [own, left];
}

export function figuresDiffer(one: readonly Figure[], other: readonly Figure[]): boolean {
  const [left, right] = unmatchedFigures(one, other);
  return left.some((figure) => right.some((known) => haveOneDimension(figure, known)));
}

/** Months and weeks have no ratio, but are both times. */
function haveOneDimension({ unit }: Figure, { unit: other }: Figure): boolean {
  const areTimes = [unit, other].every((name) => TIME_DIMENSIONS.has(unitNamed(name)?.kind ?? ''));
  return areTimes || unitRatio(unit, other) !== null;
}
