import fractionsData from './data/fractions.json';
import data from './data/number-words.json';
import unitsData from './data/units.json';

const months = (month: 'long' | 'short'): string[] => {
  const format = new Intl.DateTimeFormat('en', { month, timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, at) => format.format(Date.UTC(2000, at)).toLowerCase());
};

/** Source of a regular expression: English names of months and their abbreviations, without a full stop. */
export const MONTH = [...months('long'), ...months('short'), 'sept'].join('|');

/** `text.slice(start, end)` is the number with its sign; `endOfUnit` is the end of its unit. */
export interface TextNumber {
  value: number;
  /** Digits after the point; negative for round numbers (`1.2 million`: −5). */
  decimals: number;
  /** `%`, `mg`, `mg/d`, `person`; empty without a unit. */
  unit: string;
  start: number;
  end: number;
  endOfUnit: number;
  isWord: boolean;
  isDate: boolean;
  isApproximate: boolean;
}

interface Span {
  start: number;
  end: number;
}

/** Thousands are grouped by a comma, an apostrophe, or a space that does not break. */
const GROUPED = String.raw`\d{1,3}(?:[,'’\u00a0\u2007\u2009\u202f]\d{3})+`;
/** Groups between plain spaces may be numbers of their own, as in a row of a table. */
const SPACED_GROUPS = /(?<![\p{L}\d_.,·]|\d )\d{1,3}(?: \d{3})+(?![\p{L}\d]| \d)/gu;
/** Not within a word, a version or another number. */
const DIGITS = new RegExp(
  String.raw`(?<![\p{L}\d_]|\d[.·])(?:(?:${GROUPED}|\d+)(?:[.·]\d+)?|[.·]\d+)(?![.·]?\d)`,
  'gu',
);
const CITATION = /\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]/g;
const LIST_MARK = /^[ \t]*\d{1,2}[.)](?=\s|$)/gm;
const MONTH_PATTERN = `(?:${MONTH})\\b\\.?`;
const DATE = new RegExp(
  String.raw`\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{4}\b|\b\d{1,2}(?:st|nd|rd|th)? ${MONTH_PATTERN}(?:,? \d{4})?` +
    String.raw`|\b${MONTH_PATTERN} \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4})?`,
  'gi',
);
const RANGE_JOINT = /^\s?(?:[-–—,/±]|to|and|or|vs\.?|versus)\s?$/;
const RATIO = /^ (?:in|out of)(?: every)? $/;
const YEARS = { first: 1500, last: 2099 };
const WORD_BEFORE = /(\p{L}+)\.?[\s\u00a0]$/u;

const labelWords = new Set(data.naming);
const approximationWords = new Set(data.approximating);

/** Numbers in order, without those in names (`IL-6`), ordinals, list marks and citation marks. */
export function numbersIn(given: string): TextNumber[] {
  const text = joinSpacedGroups(given);
  const digits = /\d/.test(text) ? numbersInDigits(text) : [];
  const taken = (start: number): boolean =>
    digits.some((number) => start >= number.start && start < number.endOfUnit);
  const spelled = numbersInWords(text).filter(({ start }) => !taken(start));
  const all = [...digits, ...spelled].sort((a, b) => a.start - b.start);
  for (let at = all.length - 2; at >= 0; at -= 1) {
    const [number, next] = [all[at], all[at + 1]];
    if (number === undefined || next === undefined || number.unit !== '' || number.isDate || next.isDate)
      continue;
    if (RANGE_JOINT.test(text.slice(number.end, next.start))) number.unit = next.unit;
  }
  return all;
}

function numbersInDigits(text: string): TextNumber[] {
  const marks = [...spansOf(text, CITATION), ...spansOf(text, LIST_MARK)];
  const dates = spansOf(text, DATE);
  const found: TextNumber[] = [];
  for (const { 0: digits, index: from } of text.matchAll(DIGITS)) {
    const to = from + digits.length;
    // The exponent of `10^3` is a part of it.
    if (isWithin(from, marks) || from < (found.at(-1)?.end ?? 0)) continue;
    const number = isWithin(from, dates)
      ? plainNumber(digits, from, to, true)
      : numberAt(text, digits, from, to);
    if (number !== null && Number.isFinite(number.value)) found.push(number);
  }
  return found;
}

function numberAt(text: string, digits: string, from: number, to: number): TextNumber | null {
  const after = text.slice(to, to + 40);
  const before = text.slice(Math.max(0, from - 24), from);
  if (/\p{L}[-‐‑]$/u.test(before) || /^(?:st|nd|rd|th)\b/.test(after)) return null;
  const wordBefore = (WORD_BEFORE.exec(before)?.[1] ?? '').toLowerCase();
  if (labelWords.has(wordBefore)) return null;
  if (/^\d{3}0$/.test(digits) && /^'?s\b/.test(after)) return plainNumber(digits, from, to, true);
  const power = powerOfTenAfter(after) ?? scientificPower(digits, after);
  const fraction = fractionAfter(digits, after);
  const length = power?.length ?? fraction?.length ?? 0;
  const unit = unitAfter(after.slice(length));
  // `5mg` has a number, `3D` and `5-HT` are names.
  if (power === null && unit === null && /^(?:[\p{L}_]|-\p{Lu})/u.test(after)) return null;
  const sign = signBefore(text, from);
  const number = plainNumber(digits, from - sign.length, to + length, false);
  if (fraction !== null) Object.assign(number, { value: fraction.value, decimals: fraction.decimals });
  number.value = (/[-–−]/.test(sign) ? -1 : 1) * number.value * 10 ** (power?.power ?? 0);
  number.decimals -= power?.power ?? 0;
  // 10³ is 1,000 and no round number, in contrast to 1 thousand.
  if (OWN_POWER.test(after)) number.decimals = Math.max(0, number.decimals);
  number.unit = unit?.unit ?? currencyBefore(before) ?? periodUnit(wordBefore) ?? '';
  number.endOfUnit = number.end + (unit?.length ?? 0);
  number.isApproximate = approximationWords.has(wordBefore) || /[~≈]\s?$/.test(before);
  number.isDate = /^\d{4}$/.test(digits) && sign === '' && number.unit === '' && isYear(number.value);
  return number;
}

/** `1⁄4` and `2 1⁄4` with the sign that compatibility forms of `¼` have. */
const FRACTION_BEHIND = /^(?: (\d{1,3}))?\u2044(\d{1,3})(?![\d\u2044])/;
const MAX_WHOLE_DIGITS = 3;
/** Of thirds and the like. */
const ENDLESS_DECIMALS = 9;

function fractionAfter(
  digits: string,
  after: string,
): { value: number; decimals: number; length: number } | null {
  const [whole = '', above, below = ''] = FRACTION_BEHIND.exec(after) ?? [];
  if (Number(below) === 0 || !/^\d+$/.test(digits) || digits.length > MAX_WHOLE_DIGITS) return null;
  const share = Number(above ?? digits) / Number(below);
  const value = above === undefined ? share : Number(digits) + share;
  const ends = [0, 1, 2, 3].find((decimals) => Number.isInteger(value * 10 ** decimals));
  return { value, decimals: ends ?? ENDLESS_DECIMALS, length: whole.length };
}

/** `× 10^6` and `× 10⁶` behind a number, `^6` and `⁶` behind 10. */
const POWER = String.raw`(?:\^\(?([-−+]?\d{1,3})\)?|([⁺⁻]?[⁰¹²³⁴-⁹]{1,3}))`;
const TIMES_POWER = new RegExp(String.raw`^\s?[×x·⋅*]\s?10${POWER}`, 'u');
const OWN_POWER = new RegExp(`^${POWER}`, 'u');

function scientificPower(digits: string, after: string): { power: number; length: number } | null {
  const times = TIMES_POWER.exec(after);
  const match = times ?? (digits === '10' ? OWN_POWER.exec(after) : null);
  if (match === null) return null;
  const power = Number((match[1] ?? match[2] ?? '').normalize('NFKC').replace('−', '-'));
  return { power: times === null ? power - 1 : power, length: match[0].length };
}

/**
 * `12 345 patients` and `1 000` with plain spaces get spaces that do not break. Other groups stay: a number behind a label
 * (`group 2 150 mg`), and numbers in a row.
 */
export function joinSpacedGroups(text: string): string {
  return text.replace(SPACED_GROUPS, (groups, at: number) => {
    const wordBefore = (WORD_BEFORE.exec(text.slice(Math.max(0, at - 24), at))?.[1] ?? '').toLowerCase();
    const isCounted = /^ \p{Ll}{3}|^\s?%/u.test(text.slice(at + groups.length, at + groups.length + 4));
    const isLabelled = labelWords.has(wordBefore) || periodUnit(wordBefore) !== undefined;
    // No number begins with a zero and two digits.
    const isOne = / 0\d\d/.test(groups) || (isCounted && !isLabelled);
    return isOne ? groups.replaceAll(' ', '\u00a0') : groups;
  });
}

function plainNumber(digits: string, start: number, end: number, isDate: boolean): TextNumber {
  const [whole = '', fraction = ''] = digits.split(/[.·]/);
  const value = Number(`${whole.replace(/\D/g, '')}.${fraction}`);
  const told = { start, end, endOfUnit: end, isWord: false, isDate, isApproximate: false };
  return { value, decimals: fraction.length, unit: '', ...told };
}

/** A dash is a minus unless it joins the number to text before it. */
function signBefore(text: string, from: number): string {
  const before = text.slice(Math.max(0, from - 3), from);
  if (/−$/.test(before)) return '−';
  if (!/(?:^|[\s\u00a0([/=<>≤≥~:,;±"“–])[-–+]$/.test(before)) return '';
  return /\d\s[-–]$/.test(before) ? '' : before.slice(-1);
}

function isYear(value: number): boolean {
  return value >= YEARS.first && value <= YEARS.last;
}

function currencyBefore(before: string): string | undefined {
  return unitNamed(/[$€£]\s?$/.exec(before)?.[0].trim() ?? '')?.name;
}

/** `week 12`, `day 3` */
function periodUnit(word: string): string | undefined {
  const unit = word.length > 2 && !word.endsWith('s') ? unitNamed(word) : null;
  return unit?.kind === 'time' || unit?.kind === 'months' ? unit.name : undefined;
}

function numbersInWords(text: string): TextNumber[] {
  const spelled = spelledNumbers(text);
  return spelled.flatMap(({ value, decimals, kind, start, end }, at): TextNumber[] => {
    const unit = unitAfter(text.slice(end, end + 40));
    const wordBefore = (
      WORD_BEFORE.exec(text.slice(Math.max(0, start - 24), start))?.[1] ?? ''
    ).toLowerCase();
    const told = {
      decimals,
      start,
      isWord: true,
      isDate: false,
      isApproximate: approximationWords.has(wordBefore),
    };
    const [next, previous] = [spelled[at + 1], spelled[at - 1]];
    if (isRatio(text, { value, end }, next))
      return [{ ...told, value: (100 * value) / next.value, unit: '%', end: next.end, endOfUnit: next.end }];
    if (previous !== undefined && isRatio(text, previous, { value, start })) return [];
    // A bare `one` is usually a pronoun.
    if (kind === 'one' && unit === null) return [];
    const endOfUnit = end + (unit?.length ?? 0);
    return [{ ...told, value, unit: kind === 'fold' ? '×' : (unit?.unit ?? ''), end, endOfUnit }];
  });
}

/** `two in five`, `nine out of every ten` */
function isRatio<Other extends { value: number; start: number }>(
  text: string,
  part: { value: number; end: number },
  whole: Other | undefined,
): whole is Other {
  return whole !== undefined && part.value < whole.value && RATIO.test(text.slice(part.end, whole.start));
}

function spansOf(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map(({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
  }));
}

function isWithin(at: number, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => at >= start && at < end);
}

/** A number in words; `decimals` is negative for round thousands or millions. */
export interface SpelledNumber {
  value: number;
  decimals: number;
  /** `fold` is a multiple (`twice`); `one` may be a pronoun. */
  kind: 'count' | 'one' | 'fold';
  start: number;
  end: number;
}

const cardinals = new Map<string, number>(Object.entries(data.cardinals));
const powers = new Map<string, number>(Object.entries(data.powersOfTen));
const folds = new Map<string, number>(Object.entries(data.folds));

/** The article counts as 1 before a power: `a hundred`. */
const ONE_POWER = `a(?=\\s(?:${[...powers.keys()].filter((power) => power.length > 2).join('|')})(?!\\p{L}))`;
const WORD = new RegExp(
  `(?<![\\p{L}\\d])(?:${[...cardinals.keys(), ...folds.keys(), ONE_POWER].join('|')})(?!\\p{L})`,
  'giu',
);
const NEXT = /^(?:[\s-]+and)?[\s-]+(\p{L}+)/u;

export function spelledNumbers(text: string): SpelledNumber[] {
  const found: SpelledNumber[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (index < (found.at(-1)?.end ?? 0)) continue;
    const fold = folds.get(word.toLowerCase());
    found.push(
      fold === undefined
        ? countAt(text, index, word)
        : { value: fold, decimals: 0, kind: 'fold', start: index, end: index + word.length },
    );
  }
  return found;
}

/** A power of ten directly after a number (`million`), and the length of its match. */
export function powerOfTenAfter(text: string): { power: number; length: number } | null {
  const match = /^([\s\u00a0-]?)(\p{L}+)(?![\p{L}\d])/u.exec(text);
  const [whole = '', gap = '', word = ''] = match ?? [];
  const power = powers.get(word);
  // `0.5 M` is not a million.
  if (power === undefined || (word.length === 1 && gap !== '')) return null;
  return { power, length: whole.length };
}

/** `twenty-one`, `three hundred and five thousand`: the longest run of words that form one number. */
function countAt(text: string, start: number, first: string): SpelledNumber {
  let [total, current, decimals] = [0, cardinals.get(first.toLowerCase()) ?? 1, 0];
  let end = start + first.length;
  for (;;) {
    const next = NEXT.exec(text.slice(end));
    const word = (next?.[1] ?? '').toLowerCase();
    const [digit, power] = [cardinals.get(word), powers.get(word)];
    if (next === null || (word.length < 2 && power !== undefined)) break;
    const hasAnd = /\band\b/.test(next[0]);
    if (power !== undefined && !hasAnd && current > 0 && current < (power === 2 ? 100 : 1_000)) {
      if (power === 2) current *= 100;
      else [total, current] = [total + current * 10 ** power, 0];
      decimals = -power;
    } else if (digit !== undefined && canExtendCount(total + current, current, digit, hasAnd)) {
      current += digit;
      decimals = 0;
    } else break;
    end += next[0].length;
  }
  const value = total + current;
  return { value, decimals, kind: value === 1 ? 'one' : 'count', start, end };
}

/** Units may follow tens, and numbers below 100 may follow hundreds and thousands; only these with `and`. */
function canExtendCount(sum: number, current: number, digit: number, hasAnd: boolean): boolean {
  if (digit === 0 || sum === 0) return false;
  if (current % 100 === 0) return true;
  return !hasAnd && digit < 10 && current % 100 >= 20 && current % 10 === 0;
}

const divisors = new Map<string, number>(Object.entries(fractionsData.divisors));
const counts = new Map<string, number>(Object.entries(fractionsData.counts));
const FRACTION = new RegExp(
  `(?<!\\p{L})(?:(${[...counts.keys()].join('|')})[\\s-])?(${[...divisors.keys(), 'halves'].join('|')})s?(?!\\p{L})`,
  'giu',
);

/** Fractions in words (`two thirds`, `half`, `a quarter`) as whole percentages. */
export function fractionsIn(text: string): TextNumber[] {
  return [...text.matchAll(FRACTION)].flatMap(({ 0: written, 1: count, 2: divisor = '', index }) => {
    const by = divisors.get(divisor.toLowerCase()) ?? 2;
    // `third` without a count is an ordinal, `half` is not.
    if (count === undefined && by !== 2) return [];
    const parts = counts.get((count ?? 'a').toLowerCase()) ?? 1;
    const end = index + written.length;
    return {
      value: (100 * parts) / by,
      decimals: 1,
      unit: '%',
      start: index,
      end,
      endOfUnit: end,
      isWord: true,
      isDate: false,
      isApproximate: false,
    };
  });
}

type Amount = Pick<TextNumber, 'value' | 'decimals' | 'unit'> & { isApproximate?: boolean };

const APPROXIMATE_TOLERANCE = 0.06;

/** True if the numbers agree after rounding and conversion of units: 12.3 % and 12 %, 1.5 g and 1,500 mg. */
export function sameNumber(a: Amount, b: Amount): boolean {
  return roundsTo(a, b) || roundsTo(b, a);
}

export function roundsTo(rounded: Amount, exact: Amount): boolean {
  const ratio = unitRatio(exact.unit, rounded.unit);
  if (ratio === null) return false;
  const value = exact.value * ratio;
  const distance = Math.abs(rounded.value - value);
  const rest = 1e-9 * Math.max(1, Math.abs(value));
  if (distance <= rest) return true;
  if (rounded.isApproximate === true && distance <= APPROXIMATE_TOLERANCE * Math.abs(value)) return true;
  const [step, finer] = [10 ** -rounded.decimals, ratio * 10 ** -exact.decimals];
  return finer < step - rest && distance <= step / 2 + rest;
}

interface Unit {
  name: string;
  kind: string;
  size: number;
}

const UNIT_BEHIND =
  /^([\s\u00a0\u2009\u202f]?-?)(%|‰|°C|°|×(?!\s?\d)|\$|€|£|per ?cent\b|[\p{L}]+[²\d]?(?![\p{L}\d]))/u;
const UNIT_DIVISOR = /^(?:\/|[\s\u00a0]per\s|\sa\s)([\p{L}]+[²2]?)(?![\p{L}\d])/u;
const MIN_UNIT_WORD_LENGTH = 3;

const units = new Map<string, Unit>();
for (const [kind, sizes] of Object.entries<Record<string, number>>(unitsData.kinds)) {
  const names = new Map<number, string>();
  for (const [spelling, size] of Object.entries(sizes)) {
    const name = names.get(size) ?? spelling;
    names.set(size, name);
    units.set(spelling, { name, kind, size });
  }
}

export function unitNamed(spelling: string): Unit | null {
  const plain = spelling.replace(/^(?:μ|u(?=g$|l$|m$|mol$))/, 'µ');
  const exact = units.get(plain);
  if (exact !== undefined || plain.length < MIN_UNIT_WORD_LENGTH) return exact ?? null;
  const word = plain.toLowerCase();
  return units.get(word) ?? units.get(word.replace(/s$/, '')) ?? null;
}

function unitAfter(text: string): { unit: string; length: number; isGlued: boolean } | null {
  const match = UNIT_BEHIND.exec(text);
  if (match === null) return null;
  const [whole, gap = '', spelling = ''] = match;
  const unit = unitNamed(spelling.replace(/^per ?cent$/, 'percent'));
  if (unit === null) return null;
  const divisor = UNIT_DIVISOR.exec(text.slice(whole.length));
  const by = divisor === null ? null : unitNamed(divisor[1] ?? '');
  return by === null || divisor === null
    ? { unit: unit.name, length: whole.length, isGlued: gap === '' }
    : { unit: `${unit.name}/${by.name}`, length: whole.length + divisor[0].length, isGlued: gap === '' };
}

/**
 * Factor from the first unit to the second: 1,000 for kg and g, 1 if either is empty, null if the dimensions differ.
 */
export function unitRatio(one: string, other: string): number | null {
  if (one === other || one === '' || other === '') return 1;
  const [[top = '', below], [otherTop = '', otherBelow]] = [one.split('/'), other.split('/')];
  const ratio = plainRatio(top, otherTop);
  if (ratio === null || below === undefined || otherBelow === undefined) return ratio;
  const ratioBelow = plainRatio(below, otherBelow);
  return ratioBelow === null ? null : ratio / ratioBelow;
}

function plainRatio(one: string, other: string): number | null {
  const [left, right] = [units.get(one), units.get(other)];
  return left !== undefined && left.kind === right?.kind ? left.size / right.size : null;
}
