import data from './data/number-words.json';
import { MONTH as MONTH_NAME } from './months';
import { powerOfTenAfter, spelledNumbers } from './spelled-numbers';
import { unitAfter, unitNamed } from './units';

/** A number that a text gives; `text.slice(start, end)` is the number with its sign, `endOfUnit` where its unit ends. */
export interface TextNumber {
  value: number;
  /** Digits after the point; negative where the last digits are not told (`1.2 million`: -5). */
  decimals: number;
  /** `%`, `mg`, `mg/d`, `person`; empty where none is told. */
  unit: string;
  start: number;
  end: number;
  endOfUnit: number;
  isWord: boolean;
  /** A year, or a part of a date: no amount. */
  isDate: boolean;
  /** `about 30 %`, `nearly 1,000`. */
  isApproximate: boolean;
}

interface Span {
  start: number;
  end: number;
}

const GROUPED = String.raw`\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+`;
/** Not within a word, a version or another number. */
const DIGITS = new RegExp(
  String.raw`(?<![\p{L}\d_]|\d[.·])(?:(?:${GROUPED}|\d+)(?:[.·]\d+)?|[.·]\d+)(?![.·]?\d)`,
  'gu',
);
const CITATION = /\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]/g;
const LIST_MARK = /^[ \t]*\d{1,2}[.)](?=\s|$)/gm;
const MONTH = `(?:${MONTH_NAME})\\b\\.?`;
const DATE = new RegExp(
  String.raw`\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{4}\b|\b\d{1,2}(?:st|nd|rd|th)? ${MONTH}(?:,? \d{4})?` +
    String.raw`|\b${MONTH} \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4})?`,
  'gi',
);
/** Between two numbers that have one unit: `3–5 weeks`, `12 to 16 %`. */
const JOINS = /^\s?(?:[-–—,/±]|to|and|or|vs\.?|versus)\s?$/;
const RATIO = /^ (?:in|out of)(?: every)? $/;
const YEARS = { first: 1500, last: 2099 };
const WORD_BEFORE = /(\p{L}+)\.?[\s\u00a0]$/u;

const naming = new Set(data.naming);
const approximating = new Set(data.approximating);

/** The numbers of a text in their order. What is glued to a name (`IL-6`), ordinals, list and citation marks are none. */
export function numbersIn(text: string): TextNumber[] {
  const digits = /\d/.test(text) ? numbersInDigits(text) : [];
  const taken = (start: number): boolean =>
    digits.some((number) => start >= number.start && start < number.endOfUnit);
  const spelled = numbersInWords(text).filter(({ start }) => !taken(start));
  const all = [...digits, ...spelled].sort((a, b) => a.start - b.start);
  for (let at = all.length - 2; at >= 0; at -= 1) {
    const [number, next] = [all[at], all[at + 1]];
    if (number === undefined || next === undefined || number.unit !== '' || number.isDate || next.isDate)
      continue;
    if (JOINS.test(text.slice(number.end, next.start))) number.unit = next.unit;
  }
  return all;
}

function numbersInDigits(text: string): TextNumber[] {
  const marks = [...spansOf(text, CITATION), ...spansOf(text, LIST_MARK)];
  const dates = spansOf(text, DATE);
  const found: TextNumber[] = [];
  for (const { 0: digits, index: from } of text.matchAll(DIGITS)) {
    const to = from + digits.length;
    if (isWithin(from, marks)) continue;
    const number = isWithin(from, dates) ? plain(digits, from, to, true) : numberAt(text, digits, from, to);
    if (number !== null && Number.isFinite(number.value)) found.push(number);
  }
  return found;
}

function numberAt(text: string, digits: string, from: number, to: number): TextNumber | null {
  const after = text.slice(to, to + 40);
  const before = text.slice(Math.max(0, from - 24), from);
  if (/\p{L}[-‐‑]$/u.test(before) || /^(?:st|nd|rd|th)\b/.test(after)) return null;
  const wordBefore = (WORD_BEFORE.exec(before)?.[1] ?? '').toLowerCase();
  if (naming.has(wordBefore)) return null;
  if (/^\d{3}0$/.test(digits) && /^'?s\b/.test(after)) return plain(digits, from, to, true);
  const power = powerOfTenAfter(after);
  const unit = unitAfter(after.slice(power?.length ?? 0));
  // `5mg` is a number, `3D` and `5-HT` are names.
  if (power === null && unit === null && /^(?:[\p{L}_]|-\p{Lu})/u.test(after)) return null;
  const sign = signBefore(text, from);
  const number = plain(digits, from - sign.length, to + (power?.length ?? 0), false);
  number.value = (/[-–−]/.test(sign) ? -1 : 1) * number.value * 10 ** (power?.power ?? 0);
  number.decimals -= power?.power ?? 0;
  number.unit = unit?.unit ?? currencyBefore(before) ?? periodNamed(wordBefore) ?? '';
  number.endOfUnit = number.end + (unit?.length ?? 0);
  number.isApproximate = approximating.has(wordBefore) || /[~≈]\s?$/.test(before);
  number.isDate = /^\d{4}$/.test(digits) && sign === '' && number.unit === '' && isYear(number.value);
  return number;
}

function plain(digits: string, start: number, end: number, isDate: boolean): TextNumber {
  const [whole = '', fraction = ''] = digits.split(/[.·]/);
  const value = Number(`${whole.replace(/\D/g, '')}.${fraction}`);
  const told = { start, end, endOfUnit: end, isWord: false, isDate, isApproximate: false };
  return { value, decimals: fraction.length, unit: '', ...told };
}

/** A dash is a minus where nothing stands before it that it could join to the number. */
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
function periodNamed(word: string): string | undefined {
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
      isApproximate: approximating.has(wordBefore),
    };
    const [next, previous] = [spelled[at + 1], spelled[at - 1]];
    if (isRatio(text, { value, end }, next))
      return [{ ...told, value: (100 * value) / next.value, unit: '%', end: next.end, endOfUnit: next.end }];
    if (previous !== undefined && isRatio(text, previous, { value, start })) return [];
    // A bare `one` is as good as a pronoun.
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
