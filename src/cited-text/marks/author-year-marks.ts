import type { Mark } from './mark';
import { authorYear, type AuthorYear } from './author-year';

/** What one of a mark's labels names. */
export interface NamedWork extends AuthorYear {
  /** All of it stands in brackets. */
  isBracketed: boolean;
}

/** A mark with what each of its labels names. */
export interface AuthorYearMark extends Mark {
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
export function authorYearMarks(scanned: string): AuthorYearMark[] {
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
