import data from '../data/citation-words.json';
import { labelsIn } from './labels';
import type { Mark } from './mark';

export interface Known {
  label: (label: string) => boolean;
  footnote: (label: string) => boolean;
  isNumbered: boolean;
}

const BRACKETS = /[[【［〔]([^[\]【】［］〔〕\n\ufffc]{1,120})[\]】］〕]/g;
const RUN = /^\s*[-–—~]\s*$/;
const YEAR = /^(?:1[5-9]|20)\d{2}$/;
const OPERATOR = /[=∈+*/^<>≤≥≈∝]\s*$/;
const NAME_BEFORE = /[A-Za-z_]$/;
/** A word as sentences have them, and no name of an array in them. */
const WORD_BEFORE = /(?:^|[\s(“"‘’-])\p{L}{3,}$/u;
const INTERVAL = new RegExp(
  String.raw`(?:^|[^\p{L}\p{Script=Han}]|(?=\p{Script=Han}))(?:${data.intervals.join('|')})(?:\s+(?:of|is|from))?\s*[:：,=]?\s*$`,
  'iu',
);
const RAISED = /[⁰¹²³⁴-⁹]+(?:[,，‚˒⁻–·][⁰¹²³⁴-⁹]+)*/g;
/** A power's base: a unit, a sign, a number. */
const BASE = /(?:^|[^\p{Script=Latin}])[\p{Script=Latin}\p{Script=Greek}]{1,2}$|(?:^|[\s\p{N}\p{Sm}])$/u;
const SENTENCE_END = /[.!?,;:"'”’»。！？；，：」』）]$/;

/** `[1]`, `[1-3]`, `[1, 3]`, `[^1]`, `【1】`, `[1]–[3]`. */
export function bracketMarks(scanned: string, known: Known): Mark[] {
  const marks: Mark[] = [];
  for (const match of scanned.matchAll(BRACKETS)) {
    const inside = match[1] ?? '';
    const from = match.index;
    const to = from + match[0].length;
    const isFootnote = inside.startsWith('^');
    const isKnown = isFootnote ? (): boolean => false : known.label;
    const named = labelsIn(inside, isKnown);
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

/** Not a year, an interval, a place in an array. */
function isCitation(
  labels: readonly string[],
  before: string,
  { isNumbered }: Known,
  isKnown: Known['label'],
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
  const range = labelsIn(`${mark.labels[0] ?? ''}-${label}`, () => false);
  mark.labels = range?.labels ?? [...mark.labels, label];
  mark.to = to;
  mark.cuts = [{ from: mark.from, to }];
}

/** `¹`, `²,³` that are no powers; what stands raised by HTML is told by its place. */
export function raisedMarks(
  scanned: string,
  raised: readonly { from: number; to: number }[],
  known: Known,
): Mark[] {
  const marks: Mark[] = [];
  const places = [...scanned.matchAll(RAISED)].map(({ 0: run, index }) => ({
    from: index,
    to: index + run.length,
  }));
  for (const { from, to } of [...places, ...raised]) {
    const written = scanned.slice(from, to).replace(/[˒‚·]/g, ',').replace(/⁻/g, '-');
    const named = labelsIn(written, known.label);
    if (named === null || !named.areNumbers) continue;
    const before = scanned.slice(Math.max(0, from - 24), from);
    const isKnown = named.labels.every((label) => known.label(label) || known.footnote(label));
    if (SENTENCE_END.test(before.trimEnd()) || (isKnown && !BASE.test(before)))
      marks.push({ from, to, form: 'number', labels: named.labels, cuts: [{ from, to }] });
  }
  return marks;
}
