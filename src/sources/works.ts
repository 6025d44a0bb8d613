import type { SourceEntry, Work } from '../contracts/source/source';
import { normaliseUrl } from '../core/sources/source-url';
import { stripUnsafe } from '../core/text/untrusted-text';
import { greatest } from '../core/values/extremes';
import { groupedBy } from '../core/values/grouped-by';
import { hashOf } from './source-id';

/** What a text shows of the document that it may be a part of. */
export interface WorkSigns {
  /** Its first heading of the first level. */
  heading: string | null;
  /** Its citations by number, in the order of their first use; empty where it has a list of references. */
  openMarks: number[];
  /** The highest number in its list of references; 0 where it has none. */
  listed: number;
  /** A hash of that list; null where it has fewer than `LEAST_REFERENCES`. */
  references: string | null;
}

/** What works are found by. */
export interface PartOfWork extends Pick<
  SourceEntry,
  'id' | 'url' | 'title' | 'file' | 'author' | 'site' | 'sha256'
> {
  signs: WorkSigns;
}

/** Independent texts may share one or two references as a whole list. */
const LEAST_REFERENCES = 3;
/** As many as a title may have. */
const MAX_HEADING_CHARS = 500;
const LISTED = /^[ \t]*(?:[-*][ \t]+)?\[(\d{1,3})\]:?[ \t]*(\S.*)$/gm;
const MARK = /\[(\d{1,3})(?:[ \t]*[,;–-][ \t]*\d{1,3})*\](?![(:])/g;

export function workSigns(content: string): WorkSigns {
  const listed = [...content.matchAll(LISTED)];
  const references = listed.map(([, n = '', text = '']) => `${n} ${text.trim()}`);
  const marks = [...content.matchAll(MARK)].map(([, n]) => Number(n));
  return {
    heading: headingOf(content),
    openMarks: listed.length > 0 ? [] : [...new Set(marks)],
    listed: greatest([0, ...listed.map(([, n]) => Number(n))]),
    references: listed.length < LEAST_REFERENCES ? null : hashOf(references.join('\n')),
  };
}

function headingOf(content: string): string | null {
  const heading = stripUnsafe(/^#[ \t]+(\S.*)$/m.exec(content)?.[1] ?? '').replace(/[ \t#]+$/, '');
  return heading === '' ? null : heading.slice(0, MAX_HEADING_CHARS);
}

/**
 * Sources that are parts of one document, by their ids: of one address apart from the fragment, of one file, with one list of
 * references, or with ids such as `report-7-1`, `report-7-2` whose chapters or citation numbers run on. Others have no entry.
 */
export function findWorks(sources: readonly PartOfWork[]): Map<string, Work> {
  const groups = [
    ...together(sources, ({ url }) => (url === null ? null : normaliseUrl(url))),
    ...together(sources, ({ file, sha256 = '' }) => (file === undefined ? null : `${file} ${sha256}`)),
    ...together(sources, ({ id, url }) => (url === null ? stemOf(id) : null)).filter(areChapters),
    ...together(sources, ({ signs }) => signs.references),
  ];
  const works = new Map<string, Work>();
  for (const parts of groups) {
    const known = parts.flatMap(({ id }) => works.get(id) ?? []);
    const [work = { id: `work:${parts[0]?.id ?? ''}`, title: titleOf(parts) }] = known;
    const joined = new Set(known.map(({ id }) => id));
    for (const [id, other] of works) if (joined.has(other.id)) works.set(id, work);
    for (const { id } of parts) works.set(id, work);
  }
  return works;
}

function together(
  sources: readonly PartOfWork[],
  keyOf: (source: PartOfWork) => string | null,
): PartOfWork[][] {
  const groups = groupedBy(sources, keyOf);
  groups.delete(null);
  return [...groups.values()].filter(({ length }) => length > 1);
}

const NUMBERED_ID = /^(.*\D)(\d{1,4})$/;

function stemOf(id: string): string | null {
  return NUMBERED_ID.exec(id)?.[1] ?? null;
}

function placeOf(id: string): number {
  return Number(NUMBERED_ID.exec(id)?.[2] ?? 0);
}

/** Ids that differ in a number say little: most of the texts have to go on where others end, and none may name another author or site. */
function areChapters(parts: readonly PartOfWork[]): boolean {
  const named = [parts.map(({ author }) => author), parts.map(({ site }) => site)];
  if (named.some((names) => new Set(names).size > 1)) return false;
  const ordered = [...parts].sort((one, other) => placeOf(one.id) - placeOf(other.id));
  const chapters = ordered.filter(({ title }) => chapterOf(title) !== null);
  const citing = ordered.filter(({ signs }) => signs.openMarks.length > 0);
  const lists = ordered.filter(({ signs }) => signs.listed > 0);
  const fitting = [
    ...(rise(chapters) ? chapters : []),
    ...(citing.length > 1 && runOn(citing, lists) ? [...citing, ...lists] : []),
  ];
  return 2 * new Set(fitting).size > parts.length;
}

/** The number of a chapter in its title: `2. Methods`, `IV. Outlook`. */
function chapterOf(title: string): number | null {
  const written = /^(?:(\d{1,2})|([IVX]{1,5}))[.)][ \t]/.exec(title);
  if (written === null) return null;
  return written[1] === undefined ? ofRoman(written[2] ?? '') : Number(written[1]);
}

const ROMAN: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };

function ofRoman(numeral: string): number {
  const values = Array.from(numeral, (letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

function rise(chapters: readonly PartOfWork[]): boolean {
  const numbers = chapters.map(({ title }) => chapterOf(title) ?? 0);
  return numbers.length > 1 && numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
}

/**
 * A document numbers its citations as it first uses them: each part's new numbers lie above those of the parts before it. Some part
 * begins beyond 1, or one list has them all.
 */
function runOn(citing: readonly PartOfWork[], lists: readonly PartOfWork[]): boolean {
  const known = new Set<number>();
  let most = 0;
  for (const { signs } of citing) {
    const fresh = signs.openMarks.filter((mark) => !known.has(mark));
    if (fresh.some((mark) => mark < most)) return false;
    for (const mark of fresh) known.add(mark);
    most = greatest([most, ...fresh]);
  }
  const [list, ...others] = lists;
  const isListed = list !== undefined && others.length === 0 && list.signs.listed >= most;
  return isListed || citing.some(({ signs: { openMarks } }, at) => at > 0 && (openMarks[0] ?? 1) > 1);
}

/** The document's own title, where a part has it as a heading or all parts have it; else what its parts' ids or addresses share. */
function titleOf(parts: readonly PartOfWork[]): string {
  const heading = parts.find(({ signs }) => signs.heading !== null)?.signs.heading;
  const [first] = parts;
  if (first === undefined) return '';
  if (parts.every(({ title }) => title === first.title)) return first.title;
  return (
    heading ??
    first.file ??
    first.url?.replace(/#.*$/, '') ??
    stemOf(first.id)?.replace(/[-_.]+$/, '') ??
    first.title
  );
}
