import { append } from '../../lib/iterables';
import type { Mark } from './cited-statements';
import data from './data/citation-words.json';

export interface KnownLabels {
  label: (label: string) => boolean;
  /** True for the file name or a telling name of a source: `trial.docx`, `Trial 2020`. */
  name: (name: string) => boolean;
  footnote: (label: string) => boolean;
  isNumbered: boolean;
}

const BRACKETS = /[[【［〔]([^[\]【】［］〔〕\n\ufffc]{1,120})[\]】］〕]/g;
const RUN = /^\s*[-–—~]\s*$/;
const YEAR = /^(?:1[5-9]|20)\d{2}$/;
const OPERATOR = /[=∈+*/^<>≤≥≈∝]\s*$/;
const NAME_BEFORE = /[A-Za-z_]$/;
/** An ordinary word, in contrast to the name of an array. */
const WORD_BEFORE = /(?:^|[\s(“"‘’-])\p{L}{3,}$/u;
const INTERVAL = new RegExp(
  String.raw`(?:^|[^\p{L}\p{Script=Han}]|(?=\p{Script=Han}))(?:${data.intervals.join('|')})(?:\s+(?:of|is|from))?\s*[:：,=]?\s*$`,
  'iu',
);
const SUPERSCRIPTS = /[⁰¹²³⁴-⁹]+(?:[,，‚˒⁻–·][⁰¹²³⁴-⁹]+)*/g;
/** Base of a power: a unit, a sign, a number. */
const POWER_BASE =
  /(?:^|[^\p{Script=Latin}])[\p{Script=Latin}\p{Script=Greek}]{1,2}$|(?:^|[\s\p{N}\p{Sm}])$/u;
const SENTENCE_END = /[.!?,;:"'”’»。！？；，：」』）]$/;

/** `[1]`, `[1-3]`, `[1, 3]`, `[^1]`, `【1】`, `[1]–[3]`, `[trial.docx]`. */
export function bracketMarks(scanned: string, known: KnownLabels): Mark[] {
  const marks: Mark[] = [];
  for (const match of scanned.matchAll(BRACKETS)) {
    const inside = match[1] ?? '';
    const from = match.index;
    const to = from + match[0].length;
    const isFootnote = inside.startsWith('^');
    const isKnown = isFootnote ? (): boolean => false : known.label;
    const names = sourceNames(inside, known.name);
    if (names.length > 0) {
      marks.push({ from, to, form: 'name', labels: names, cuts: [{ from, to }] });
      continue;
    }
    const named = parseLabels(inside, isKnown);
    if (named === null) continue;
    const before = scanned.slice(Math.max(0, from - 24), from);
    if (!isFootnote && !isCitation(named.labels, before, known, isKnown)) continue;
    const last = marks.at(-1);
    if (last !== undefined && spansTo(last, named.labels, scanned.slice(last.to, from))) {
      joinRange(last, named.labels[0] ?? '', to);
      continue;
    }
    const form = isFootnote ? 'footnote' : 'number';
    marks.push({ from, to, form, labels: named.labels, cuts: [{ from, to }] });
  }
  return marks;
}

/** `trial.docx`, `trial.docx, p. 3; survey.pdf`, and the file behind a dagger: `4:1†trial.docx`. */
function sourceNames(inside: string, isName: KnownLabels['name']): string[] {
  const [, place = inside] = inside.split('†', 2);
  const whole = place.trim();
  if (isName(whole)) return [whole];
  const parts = whole.split(/\s*[,;、]\s*/).filter((part) => !PLACE.test(part));
  return parts.every(isName) ? [...new Set(parts)] : [];
}

/** False for a year, an interval, an array index. */
function isCitation(
  labels: readonly string[],
  before: string,
  { isNumbered }: KnownLabels,
  isKnown: KnownLabels['label'],
): boolean {
  const isZero = labels.some((label) => label === '0' && !isKnown(label));
  if (isZero || OPERATOR.test(before) || (labels.length > 1 && INTERVAL.test(before))) return false;
  if (labels.some(isKnown)) return true;
  if (labels.every(isYears)) return false;
  return !NAME_BEFORE.test(before) || (isNumbered && WORD_BEFORE.test(before));
}

/** `2019`, `2019-2021`. */
function isYears(label: string): boolean {
  return label.split(/\D+/).every((number) => YEAR.test(number) || number.length > 4);
}

function spansTo(last: Mark, labels: readonly string[], between: string): boolean {
  return last.labels.length === 1 && labels.length === 1 && last.form === 'number' && RUN.test(between);
}

function joinRange(mark: Mark, label: string, to: number): void {
  const range = parseLabels(`${mark.labels[0] ?? ''}-${label}`, () => false);
  mark.labels = range?.labels ?? [...mark.labels, label];
  mark.to = to;
  mark.cuts = [{ from: mark.from, to }];
}

/** `¹`, `²,³` that are no powers, and the given places that HTML raises. */
export function raisedMarks(
  scanned: string,
  raised: readonly { from: number; to: number }[],
  known: KnownLabels,
): Mark[] {
  const marks: Mark[] = [];
  const places = [...scanned.matchAll(SUPERSCRIPTS)].map(({ 0: run, index }) => ({
    from: index,
    to: index + run.length,
  }));
  for (const { from, to } of [...places, ...raised].sort((a, b) => a.from - b.from)) {
    const written = scanned.slice(from, to).replace(/[˒‚·]/g, ',').replace(/⁻/g, '-');
    const named = parseLabels(written, known.label);
    if (named === null || !named.areNumbers) continue;
    const before = scanned.slice(Math.max(0, from - 24), from);
    const isKnown = named.labels.every((label) => known.label(label) || known.footnote(label));
    const last = marks.at(-1);
    const isNext = last !== undefined && /^[\s,]*$/.test(scanned.slice(last.to, from));
    if (isNext || SENTENCE_END.test(before.trimEnd()) || (isKnown && !POWER_BASE.test(before)))
      marks.push({ from, to, form: 'number', labels: named.labels, cuts: [{ from, to }], isRaised: true });
  }
  return marks;
}

const MAX_LABELS = 200;
const NUMBER = /^(?:№|#)?(\d{1,6})$/;
const RANGE = /^(\d{1,6})\s*[-‐‑–—−~∼]{1,2}\s*(\d{1,6})$/;
/** `p. 3`, `pp. 4-5`, `S. 7`, `§ 2`, `ch. 3`, `line 8`: a place within the cited source. */
const PLACE =
  /^(?:(?:pp?|ss?|ch|chap|sec|section|fig|table|lines?|para)\b|§{1,2})\.?\s*[\divx]+(?:\s*[-–]\s*\d+)?$/i;

const NUMBERED = `(?:${data.numbered.map((word) => word.replaceAll('.', '\\.')).join('|')})`;
export const NUMBERED_WORD = String.raw`${NUMBERED}[\s#]*(?=\d)`;
const NUMBERED_WORD_BEFORE = new RegExp(String.raw`^${NUMBERED}\s*[:：]?[\s#]*(?=\d)`, 'iu');

export interface NamedLabels {
  labels: string[];
  areNumbers: boolean;
}

/** Labels of `3`, `1-3`, `1, 3`, `12, p. 5`, `^a` and known names; else null. Text behind a dagger is a place in the source. */
export function parseLabels(inside: string, isKnown: (label: string) => boolean): NamedLabels | null {
  const plain = inside.normalize('NFKC').split('†', 1)[0]?.trim() ?? '';
  const labels: string[] = [];
  let areNumbers = true;
  for (const written of plain.split(/\s*[,;、]\s*/)) {
    const bare = written.replace(NUMBERED_WORD_BEFORE, '');
    const part = isKnown(bare) ? bare : written;
    const number = NUMBER.exec(part)?.[1];
    const range = RANGE.exec(part);
    if (isKnown(part)) labels.push(part);
    else if (number !== undefined) labels.push(String(Number(number)));
    else if (range !== null) append(labels, expandRange(part, Number(range[1]), Number(range[2])));
    else if (PLACE.test(part) && labels.length > 0) continue;
    else if (/^\d{1,4}:\d{1,4}$/.test(part) && inside.includes('†')) labels.push(part);
    else if (/^\^\S{1,80}$/.test(part)) {
      // `[^1^]` is a footnote of another Markdown.
      labels.push(part.slice(1).replace(/(?<=.)\^$/, ''));
      areNumbers = false;
    } else if (part.startsWith('@') && isKnown(part.slice(1))) labels.push(part.slice(1));
    else return null;
  }
  return labels.length === 0 ? null : { labels: [...new Set(labels)], areNumbers };
}

/** A range that is too long or falls is a label of its own. */
function expandRange(written: string, first: number, last: number): string[] {
  if (last <= first || last - first >= MAX_LABELS) return [written];
  return Array.from({ length: last - first + 1 }, (_, at) => String(first + at));
}
