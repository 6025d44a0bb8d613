import type { InlineText } from '../markdown/inline-text';
import { addressMarks } from './address-marks';
import { bracketMarks, raisedMarks, type Known } from './bracket-marks';
import type { Mark } from './mark';
import { authorYear, type AuthorYear } from './author-year';

/** A citation's mark with what its form tells besides. */
export interface FoundMark extends Mark {
  url?: string;
  /** A link's own words, where they are words. */
  words?: string;
  named?: NamedWork[];
}

/** The citations of a block's text, in order; where two overlap, the one that was found by the surer sign. */
export function marksOf(inline: InlineText, known: Known): FoundMark[] {
  const { scanned, spans } = inline;
  const raised = spans.filter(({ kind }) => kind === 'raised');
  const marks: FoundMark[] = [];
  const taken = new Set<number>();
  const found: FoundMark[] = [
    ...addressMarks(inline, known),
    ...bracketMarks(scanned, known),
    ...raisedMarks(scanned, raised, known),
    ...authorYearMarks(scanned),
  ];
  for (const mark of found) {
    const places = placesOf(mark);
    if (places.some((place) => taken.has(place))) continue;
    for (const place of places) taken.add(place);
    marks.push(mark);
  }
  return withoutQuoted(
    marks.sort((a, b) => a.from - b.from),
    scanned,
  );
}

const QUOTATION = /“[^“”]*”/g;
/**
 * What may stand between a quotation and its citation: stops, and in brackets of its own whose it is, which begins as a name does and ends
 * as no sentence does.
 */
const LEADING = /^(?:\s*\([\p{Lu}\p{N}](?:[^()]|\([^()]*\)){0,200}(?<![.!?])\))?[\s.,;:!?(]*$/u;

/** The marks within a quotation that is itself cited right behind it are of the text that is quoted. */
function withoutQuoted(marks: readonly FoundMark[], scanned: string): FoundMark[] {
  const quoted = [...scanned.matchAll(QUOTATION)].flatMap(({ 0: text, index: from }) => {
    const to = from + text.length;
    const next = marks.find((mark) => mark.from >= to);
    return next !== undefined && LEADING.test(scanned.slice(to, next.from)) ? [{ from, to }] : [];
  });
  return marks.filter((mark) => !quoted.some(({ from, to }) => mark.from >= from && mark.to <= to));
}

function placesOf({ from, to }: FoundMark): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** What one of a mark's labels names. */
interface NamedWork extends AuthorYear {
  /** All of it stands in brackets. */
  isBracketed: boolean;
}

/** A mark with what each of its labels names. */
interface AuthorYearMark extends Mark {
  named: NamedWork[];
}

const BRACKETS = /[(（[]([^()（）[\]\ufffc]{4,300})[)）\]]/g;
const YEAR = /(?:1[6-9]|20)\d{2}/;
const ONLY_YEAR = /^\s*((?:1[6-9]|20)\d{2})[a-z]?(?:\s*[,，:]\s*(?:pp?\.?\s*)?[\d–-]{1,9})?\s*$/;
/** `Smith, 2019, 2020a`: several works of one author. */
const YEARS_AT_END = /^(.*?)((?:1[6-9]|20)\d{2}[a-z]?(?:\s*[,，&]\s*(?:1[6-9]|20)\d{2}[a-z]?)+)\s*$/su;
/** The names right before `(2019)`: capitals, `and`, `et al.` */
const NAMES =
  /(?:\p{Lu}[\p{L}'’-]+(?:\s+(?:(?:and|&|et)\s+)?(?=\p{Lu}|al))?){1,4}(?:al\.?,?\s*)?(?:['’]s)?\s*$/u;
const HAN_NAMES = /(?<!\p{Script=Han})\p{Script=Han}{2,4}等?人?\s*$/u;

/** `(Smith, 2019; Jones & Lee 2020)`, and `Smith et al. (2019)`. */
function authorYearMarks(scanned: string): AuthorYearMark[] {
  const marks: AuthorYearMark[] = [];
  for (const match of scanned.matchAll(BRACKETS)) {
    const inside = match[1] ?? '';
    if (!YEAR.test(inside)) continue;
    const from = match.index;
    const to = from + match[0].length;
    const mark = ONLY_YEAR.test(inside) ? told(scanned, from, to, inside.trim()) : listed(inside, from, to);
    if (mark !== null) marks.push(mark);
  }
  return marks;
}

function listed(inside: string, from: number, to: number): AuthorYearMark | null {
  const named: NamedWork[] = [];
  const labels: string[] = [];
  for (const part of inside.split(/[;；]/).flatMap(worksOf)) {
    const one = authorYear(part);
    if (one === null) return null;
    named.push({ ...one, isBracketed: true });
    labels.push(part.trim());
  }
  return { from, to, form: 'author-year', labels, named, cuts: [{ from, to }] };
}

/** One for each year of an author. */
function worksOf(part: string): string[] {
  const [, names, years] = YEARS_AT_END.exec(part) ?? [];
  if (names === undefined || years === undefined) return [part];
  return years.split(/\s*[,，&]\s*/).map((year) => `${names.trim()} ${year}`);
}

function told(scanned: string, from: number, to: number, year: string): AuthorYearMark | null {
  const before = scanned.slice(Math.max(0, from - 90), from);
  const names = NAMES.exec(before)?.[0] ?? HAN_NAMES.exec(before)?.[0];
  if (names === undefined) return null;
  const plain = names.trim().replace(/['’]s$/, '');
  const one = authorYear(`${plain}, ${year}`);
  if (one === null) return null;
  const start = from - names.length;
  return {
    from: start,
    to,
    form: 'author-year',
    labels: [`${plain}, ${year}`],
    named: [{ ...one, isBracketed: false }],
    cuts: [{ from, to }],
  };
}
