import { alternation } from '../lib/untrusted-text';
import {
  fractionsIn,
  joinSpacedGroups,
  numbersIn,
  roundsTo,
  type TextNumber,
  unitNamed,
  unitRatio,
} from '../text/numbers';
import { isNegator, isNotOnly } from '../text/polarity';
import { isUnspaced, tokensOf } from '../text/sentences';
import {
  isLightWord,
  type PlacedWord,
  placedWords,
  qualifiesNumber,
  stemOf,
  STOP_WORDS,
} from '../text/words';
import absentNumbersData from './data/bounds.json';
import data from './data/joints.json';

const joints = new Set([...data.joints, ...data.adding]);

export interface StatementToken {
  kind: 'word' | 'number' | 'negator';
  text: string;
  /** Key for comparison; empty for numbers and negators. */
  stem: string;
  /** Null for words. */
  number: TextNumber | null;
  /** True for a capital within the sentence, or digits. */
  isName: boolean;
  /** True if another statement or an addition begins with it: `but`, `and`. */
  isJoined: boolean;
}

/** Words, remaining digits of names (the 6 of `IL-6`), and comparison signs. */
const PIECE = /\p{L}[\p{L}\p{M}\d]*(?:['’]\p{L}+)*|\p{N}+(?:[.,]\p{N}+)*|[<>≤≥]/gu;
const CITATION = /\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]/g;
const SPELLINGS: readonly [RegExp, string][] = [
  [/ae(?=m|s|d)/g, 'e'],
  [/oe(?=d|s)/g, 'e'],
  [/is(?=e|ing|ation)/g, 'iz'],
  [/our$/, 'or'],
];

export function statementTokens(text: string): StatementToken[] {
  const plain = plainNumbers(text).replace(CITATION, (mark) => ' '.repeat(mark.length));
  const words = placedWords(plain);
  const placeOf = new Map(words.map((word, at) => [word.start, at]));
  const numbers = numbersIn(plain).filter((number) => !isPartOfName(plain, number));
  const tokens: StatementToken[] = [];
  let [behind, next] = [0, 0];
  let neither = false;
  let joinedAt = -1;
  const push = (token: StatementToken): void => {
    tokens.push({ ...token, isJoined: tokens.length > 0 && joinedAt === tokens.length });
  };
  for (const { 0: piece, index } of plain.matchAll(PIECE)) {
    if (index < behind) continue;
    while ((numbers[next]?.end ?? Infinity) <= index) next += 1;
    const number = index >= (numbers[next]?.start ?? Infinity) ? numbers[next] : undefined;
    // `1,25diOH`: digits beyond the number belong to a name.
    if (number !== undefined && number.end >= index + piece.length) {
      behind = Math.max(number.end, number.endOfUnit);
      push(numberToken(plain.slice(number.start, behind), number));
      continue;
    }
    const at = placeOf.get(index);
    const placed = at === undefined ? undefined : words[at];
    if (isUnspaced(piece)) {
      for (const word of tokensOf(piece)) push(wordToken(word, word, false));
      continue;
    }
    if (placed === undefined || at === undefined) {
      push(wordToken(piece, stemOf(piece), /\d/.test(piece)));
      continue;
    }
    if (isNotOnly(words, at)) {
      behind = words[at + 1]?.end ?? placed.end;
      continue;
    }
    if (isNegator(words, at)) {
      // `neither … nor` is one negation.
      if (placed.word !== 'nor' || !neither) {
        push({ kind: 'negator', text: placed.word, stem: '', number: null, isName: false, isJoined: false });
      }
      neither = true;
      continue;
    }
    if (joints.has(placed.word)) joinedAt = tokens.length;
    if (isLightWord(placed.word) && !(qualifiesNumber(placed.word) && isBeforeNumber(numbers, placed)))
      continue;
    const isName = /\d/.test(piece) || (/^\p{Lu}/u.test(piece) && tokens.length > 0);
    push(wordToken(placed.word, stemOf(americanSpelling(placed.word)), isName));
  }
  return tokens;
}

function wordToken(text: string, stem: string, isName: boolean): StatementToken {
  return { kind: 'word', text, stem, number: null, isName, isJoined: false };
}

function numberToken(text: string, number: TextNumber): StatementToken {
  return { kind: 'number', text, stem: '', number, isName: false, isJoined: false };
}

/** `25-hydroxyvitamin`: a hyphen joins the number to a word that is not a unit. */
function isPartOfName(text: string, { end, unit }: TextNumber): boolean {
  return unit === '' && /^-\p{Ll}/u.test(text.slice(end, end + 2));
}

function isBeforeNumber(numbers: readonly TextNumber[], { end }: PlacedWord): boolean {
  return numbers.some(({ start }) => start > end && start <= end + 2);
}

function americanSpelling(word: string): string {
  return SPELLINGS.reduce((spelled, [pattern, one]) => spelled.replace(pattern, one), word);
}

/** Writers count sources up to this number themselves: `two trials`. */
const MAX_WRITER_COUNT = 12;
const APPROXIMATE_TOLERANCE = 0.1;
const MAX_BOUND_FACTOR = 0.7;

export interface NumberedSentence {
  text: string;
  numbers: readonly FoundNumber[];
}

/**
 * Numbers of a claim, as written, that neither occur in `sentences` nor follow from two numbers of one sentence in
 * `nearBy`. Small counts in words (`two trials`) and multiples (`doubled`) are skipped.
 */
export function absentNumbers(
  claim: string,
  sentences: readonly NumberedSentence[],
  nearBy: readonly NumberedSentence[] = [],
): string[] {
  const plain = plainNumbers(claim);
  const own = claimedNumbers(plain);
  return own
    .filter(({ number }) => number.unit !== '×' || !number.isWord)
    .filter(({ number }) => !(number.isWord && number.unit === '' && number.value <= MAX_WRITER_COUNT))
    .filter(({ number }) => {
      const bound = boundBefore(plain, number.start);
      return (
        !sentences.some((sentence) => hasNumber(sentence, number, bound)) &&
        ![...nearBy, { numbers: own }].some(({ numbers }) => isDerivedFrom(number, numbers))
      );
    })
    .map(({ written }) => written);
}

export function withNumbers(texts: readonly string[]): NumberedSentence[] {
  return texts.map((text) => ({ text, numbers: findNumbers(text) }));
}

function hasNumber({ text, numbers }: NumberedSentence, claimed: TextNumber, bound: Bound): boolean {
  return numbers.some(
    ({ number }) => satisfiesBound(claimed, bound, number) && hasUnit(claimed, number, text),
  );
}

/** Ignores signs: a difference of −0.05 may be “a fall by 0.05”. */
function satisfiesBound(claimed: TextNumber, bound: Bound, held: TextNumber): boolean {
  const [one, other] = [unsigned(claimed), unsigned(held)];
  if (roundsTo(one, other)) return true;
  // An approximate number is coarser: `half` for 52 %.
  const ratio = unitRatio(other.unit, one.unit);
  if (ratio === null) return false;
  const value = other.value * ratio;
  if (bound === 'above') return value >= one.value && one.value >= value * MAX_BOUND_FACTOR;
  if (bound === 'below') return value <= one.value && value >= one.value * MAX_BOUND_FACTOR;
  return (
    (bound === 'near' || held.isApproximate) && Math.abs(value - one.value) <= APPROXIMATE_TOLERANCE * value
  );
}

function unsigned(number: TextNumber): TextNumber {
  return { ...number, value: Math.abs(number.value), isApproximate: false };
}

/** A short number needs its unit: its own, or elsewhere in the sentence, as in lists and table heads. */
function hasUnit(claimed: TextNumber, held: TextNumber, sentence: string): boolean {
  if (claimed.unit === '' || held.unit !== '' || !isShort(claimed)) return true;
  const kind = dimensionOf(claimed.unit);
  if (kind === 'person') return true;
  return (sentence.match(/[\p{L}µ°%$€£]+/gu) ?? []).some((word) => unitNamed(word)?.kind === kind);
}

/** Among more numbers some pair matches by chance. */
const MAX_NUMBERS = 8;

/** True for the difference of two numbers, or one as a percentage of the other. */
function isDerivedFrom(claimed: TextNumber, held: readonly FoundNumber[]): boolean {
  if (claimed.isDate || held.length > MAX_NUMBERS) return false;
  const amounts = held.map(({ number }) => number).filter(({ isDate }) => !isDate);
  return amounts.some((one) =>
    amounts.some((other) => one !== other && isDifferenceOrShare(claimed, one, other)),
  );
}

function isDifferenceOrShare(claimed: TextNumber, one: TextNumber, other: TextNumber): boolean {
  if (one.value <= other.value || other.value <= 0) return false;
  const decimals = Math.max(one.decimals, other.decimals);
  const difference = { value: one.value - other.value, decimals, unit: one.unit };
  if (one.unit === other.unit && roundsTo(claimed, difference)) return true;
  const share = { value: (100 * other.value) / one.value, decimals: claimed.decimals + 3, unit: '%' };
  return claimed.unit === '%' && one.unit !== '%' && other.unit !== '%' && roundsTo(claimed, share);
}

type Bound = 'exact' | 'above' | 'below' | 'near';

const BOUND_BEFORE = new RegExp(
  `(?<!\\p{L})(?:(${joined(absentNumbersData.above)})|(${joined(absentNumbersData.below)})|(${joined(absentNumbersData.near)}))(?:\\s+(?:a|the|an))?\\s*[$€£]?\\s*$`,
  'iu',
);
const APPROXIMATE_SIGN = /[~≈]$/;
const BOUND_REACH = 30;

/** Meaning of the words right before a number: `over 400`, `within two weeks`, `≈ 5`. */
function boundBefore(text: string, start: number): Bound {
  const before = text.slice(Math.max(0, start - BOUND_REACH), start);
  if (APPROXIMATE_SIGN.test(before.trimEnd())) return 'near';
  const match = BOUND_BEFORE.exec(before);
  if (match === null) return 'exact';
  if (match[1] !== undefined) return 'above';
  return match[2] === undefined ? 'near' : 'below';
}

function joined(phrases: readonly string[]): string {
  return [...phrases].sort((a, b) => b.length - a.length).join('|');
}

export interface FoundNumber {
  number: TextNumber;
  written: string;
}

/** Numbers without the context of `numbersIn`: `the 24th week` is week 24, `GPT-4` has a 4. */
const LOOSE = /(?<![\d.,\u2044])\d+(?:\.\d+)?(?![\d\u2044])/g;

/** All numbers to look claims up in: amounts, fractions in words, ordinals, digits in names. */
export function findNumbers(sentence: string): FoundNumber[] {
  const plain = plainNumbers(sentence);
  const told = claimedNumbers(plain);
  const taken = new Set(told.map(({ number }) => number.value));
  const loose = [...plain.matchAll(LOOSE)]
    .filter(([digits]) => !taken.has(Number(digits)))
    .map(({ 0: written, index }) => ({ number: bare(written, index), written }));
  const fractions = fractionsIn(plain).map((number) => ({
    number,
    written: plain.slice(number.start, number.end),
  }));
  return [...told, ...fractions, ...loose];
}

/** Amounts in a claim, without digits of names. */
function claimedNumbers(text: string): FoundNumber[] {
  const plain = plainNumbers(text);
  return numbersIn(plain)
    .filter((number) => !isPartOfName(plain, number) && !isFromSymbol(plain, number))
    .map((number) => ({
      number,
      written: plain.slice(number.start, Math.max(number.end, number.endOfUnit)),
    }));
}

/** Exponents and versions: `10^-3`, `AlpacaEval 2`. */
function isFromSymbol(text: string, { start, unit, isDate }: TextNumber): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  if (/\^\(?[-−]?$/.test(before)) return true;
  const name = /[\p{L},] (\p{Lu}[\p{L}\p{N}-]*) $/u.exec(before)?.[1];
  return name !== undefined && unit === '' && !isDate && !STOP_WORDS.has(name.toLowerCase());
}

/** `1/4` where it stands by itself; `2/4` and `120/80` are no fractions. */
const SLASH_FRACTION =
  /(?<![\p{L}\p{N}_/.,·:⁄–-])(?:1\/[234568]|2\/[35]|3\/[458]|4\/5|5\/[68]|7\/8)(?=[.,;:)]?(?:\s|$))/gu;

/** One spelling of signs: `−4` for `-4` and `minus 4`, `±` for `+/-`. */
export function withPlainSigns(text: string): string {
  return text
    .replace(/\+\s?\/\s?[-−–]/g, '±')
    .replace(/(?<!\d\s?)\bminus (?=\d)/gi, '−')
    .replace(HYPHEN_MINUS, '−');
}

/** Keeps the length of the text. */
export const HYPHEN_MINUS = /(?<=^|[\s([=<>≤≥])(?<!\d\s)[-–](?=\d)/g;

/** NFKC makes 103 of `10³`, 11/2 of `1½` and plain spaces of those that group digits. */
function plainNumbers(text: string): string {
  return withPlainSigns(joinSpacedGroups(text))
    .replace(/(?<=\d)[\u00a0\u2007\u2009\u202f'’](?=\d{3}(?!\d))/g, ',')
    .replace(/(?<=\d)(?=[⁺⁻]?[⁰¹²³⁴-⁹])(?<![⁺⁻⁰¹²³⁴-⁹])/g, '^')
    .replace(/(?<=\d)(?=[¼-¾⅐-⅞])/g, ' ')
    .replace(SLASH_FRACTION, (fraction) => fraction.replace('/', '\u2044'))
    .normalize('NFKC')
    .replace(/[‐‑]/g, '-')
    .replace(/([<>])=/g, (_sign, side: string) => (side === '<' ? '≤' : '≥'));
}

function bare(written: string, start: number): TextNumber {
  const end = start + written.length;
  return {
    value: Number(written),
    decimals: (written.split('.')[1] ?? '').length,
    unit: '',
    start,
    end,
    endOfUnit: end,
    isWord: false,
    isDate: false,
    isApproximate: false,
  };
}

/** Smaller numbers occur in every text, so they match only with their unit. */
const SHORT_NUMBER_LIMIT = 100;

/** True if the numbers are equal after rounding and conversion. Short ones need a unit, except counts of people. */
export function isSameAmount(claimed: TextNumber, cited: TextNumber): boolean {
  const isBare = (claimed.unit === '') !== (cited.unit === '');
  if (isBare && isShort(claimed) && dimensionOf(claimed.unit || cited.unit) !== 'person') return false;
  return roundsTo({ ...claimed, isApproximate: false }, cited);
}

function isShort({ value, decimals }: TextNumber): boolean {
  return decimals <= 0 && Math.abs(value) < SHORT_NUMBER_LIMIT;
}

/** Dimension of a unit; of the numerator in `mg/d`. */
function dimensionOf(unit: string): string | undefined {
  return unitNamed(unit.split('/')[0] ?? '')?.kind;
}

/** Placeholder for a dot written as `[.]` or `(dot)`, which is certainly an address. */
const DEFANGED_DOT = '\ue000';
const DEFANGED: readonly (readonly [RegExp, string])[] = [
  [/\bhxxp/gi, 'http'],
  [/\s?[[({]\s?(?:\.|dot)\s?[\])}]\s?/gi, DEFANGED_DOT],
  [/\s?[[({]\s?(?:@|at)\s?[\])}]\s?/gi, '@'],
  [/\[(:\/?\/?)\]/g, '$1'],
];

/** Host names in lower case: `slept.However` only lacks a space. */
const HOST = /(?:[\p{Ll}\p{N}][\p{Ll}\p{N}-]*[.\ue000])+\p{Ll}{2,}(?![\p{L}\p{N}])/u;
/** Endings that are not words, file names or abbreviations. */
const KNOWN_ENDING = /^(?:com|org|net|io|example|info|co)$/;
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const ADDRESSES = alternation(
  [
    /(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"“”<>]+/u,
    /[^\s@"“”<>]{1,80}@[\w-]+[.\ue000][\w.\ue000-]+/u,
    new RegExp(`(?<![\\p{L}\\p{N}.-])${HOST.source}[^\\s"“”<>]*`, 'u'),
  ],
  'gu',
);

/** Addresses in a text, defanged ones included, that none of the other texts has. */
export function foreignAddresses(text: string, others: readonly string[]): string[] {
  const found = (refang(text).match(ADDRESSES) ?? [])
    .map((address) => address.replace(/[\p{P}]+$/u, ''))
    .filter(isAddress)
    .map(withDots);
  if (found.length === 0) return [];
  const known = others.map((other) => withDots(refang(other)).toLowerCase());
  return found.filter((address) => !known.some((other) => other.includes(address.toLowerCase())));
}

/** False for words with a dot such as `node.js`, `settings.json`, `12.mai` and `e.g.from`. */
function isAddress(found: string): boolean {
  if (/:\/\/|@|^www\.|\ue000/.test(found)) return true;
  const host = HOST.exec(found)?.[0] ?? '';
  const labels = host.split('.');
  const ending = labels.at(-1) ?? '';
  const hasPath = /^\/./.test(found.slice(host.length));
  if (KNOWN_ENDING.test(ending)) return hasPath || !isShortWord(labels);
  if (isShortWord(labels)) return false;
  return hasPath || (labels.length > 2 && isCountry(ending));
}

function isShortWord([first = '']: readonly string[]): boolean {
  return /^(?:\p{N}+|.)$/u.test(first);
}

function isCountry(ending: string): boolean {
  return ending.length === 2 && COUNTRIES.of(ending.toUpperCase()) !== undefined;
}

function withDots(text: string): string {
  return text.replaceAll(DEFANGED_DOT, '.');
}

function refang(text: string): string {
  let written = text.normalize('NFKC');
  for (const [pattern, sign] of DEFANGED) written = written.replace(pattern, sign);
  return written;
}
