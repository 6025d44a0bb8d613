import { writingTexts } from '../../texts/writing';
import type { Work } from '../../contracts/source/source';
import { splitSentences } from '../../language/sentences';
import nameWords from './data/name-words.json';

export interface Attributable {
  title: string;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
  work?: Work | undefined;
}

export interface Attribution {
  subject: string;
  plural: boolean;
}

const PARTICLES = new Set(nameWords.particles);
/** A document that stands for its author is named in a sentence; few titles are longer. */
const MAX_TITLE_CHARS = 160;
/** Beside a quote it is to be recognised, not read. */
const MAX_NAME_CHARS = 50;
const ORGANISATION = new RegExp(`\\b(?:${nameWords.organisations.join('|')})\\b`, 'i');

/** The year in a date such as `2005`, `2005-03-01` or `March 2005`; undefined where there is none. */
export function yearOf(publishedAt: string | undefined): string | undefined {
  return publishedAt === undefined ? undefined : /\b(1[5-9]|20)\d{2}\b/.exec(publishedAt)?.[0];
}

/**
 * `Haykowsky and colleagues (2005)`, `Doe (2010)`; without an author the document itself is the subject: `“Title” (Nutrition
 * Journal, 2012)`.
 */
export function attributionOf(source: Attributable): Attribution {
  const year = yearOf(source.publishedAt);
  const authors = authorNames(source.author);
  if (authors.length === 0) {
    const title = `“${clip(source.title, MAX_TITLE_CHARS)}”`;
    const place = [source.site, year].filter((part) => part !== undefined).join(', ');
    return { subject: place === '' ? title : `${title} (${place})`, plural: false };
  }
  const names = namesOf(source.author);
  return {
    subject: year === undefined ? names : `${names} (${year})`,
    plural: authors.length > 1 || hasOthers(source.author),
  };
}

/** `Haykowsky and colleagues`, `Doe and Roe`. */
function namesOf(author: string | undefined): string {
  const names = authorNames(author);
  const [first = ''] = names;
  return names.length > 2 || hasOthers(author)
    ? writingTexts.andColleagues(first)
    : writingTexts.authors(names);
}

function hasOthers(author: string | undefined): boolean {
  return /\bet al\b/i.test(author ?? '');
}

/**
 * `Haykowsky 2005`, as tables name studies; without an author by the beginning of its title: `LIMA, 2023` of `LIMA: Less Is
 * More for Alignment`; else by its site.
 */
export function sourceName({ author, title, site, publishedAt }: Attributable): string {
  const [named] = authorNames(author);
  const year = yearOf(publishedAt);
  if (named !== undefined) return year === undefined ? named : `${named} ${year}`;
  return [titleName(title) || site, year].filter((part) => part !== undefined).join(', ');
}

/** A title up to where it begins to explain itself; a long one is cut at a word. */
function titleName(title: string): string {
  const [{ text = '' } = {}] = splitSentences(title.trim());
  const [name = ''] = text.replace(/[.?!]$/, '').split(/:\s|\s[-–—]\s/);
  return clip(name, MAX_NAME_CHARS);
}

/** The name by which each author is cited, in order; `et al.` is left out. */
export function authorNames(author: string | undefined): string[] {
  return authorsOf(author).map(({ family }) => family);
}

/** A name as lists of references have it; an organisation, or a single word, is all family name. */
export interface AuthorName {
  family: string;
  given: string;
}

/** An initial before the surname, or behind it. */
const GIVEN_FIRST = /^(?:\p{L}[\p{L}'’-]+\s)?(?:\p{Lu}\.?\s)+\p{L}{2,}/u;
const SURNAME_FIRST = /\s\p{Lu}{1,3}\.?$/u;

/** Each author, in order; `et al.` is left out. */
export function authorsOf(author: string | undefined): AuthorName[] {
  if (author === undefined) return [];
  const text = author.replace(/,?\s*\bet al\.?/i, '').trim();
  if (text === '') return [];
  // A list with semicolons is mostly bibliographic, `Surname Given; Surname Given`; otherwise names stand as people write them.
  if (text.includes(';')) {
    const names = split(text, /;/);
    // `A. B. Doe; Jane Roe` is written as people write names.
    const isGivenFirst =
      names.some((name) => GIVEN_FIRST.test(name)) && !names.some((name) => SURNAME_FIRST.test(name));
    const surname = isGivenFirst ? 'last' : 'first';
    return names.map((name) => parted(name, surname));
  }
  if (ORGANISATION.test(text)) return [{ family: text, given: '' }];
  const joined = split(text, /\s+and\s+|\s*&\s*/);
  if (joined.length === 1 && /^[^,]+,\s*[^,]+$/.test(text) && surnameFirst(text))
    return [parted(text, 'first')];
  return joined.flatMap((part) => split(part, /,/)).map((name) => parted(name, 'last'));
}

function split(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** `Doe, Jane` or `Doe, J.` is one name; `Jane Doe, John Roe` is two. */
function surnameFirst(text: string): boolean {
  const [family = '', given = ''] = text.split(',').map((part) => part.trim());
  return !family.includes(' ') && given.split(/\s+/).length <= 2;
}

function parted(name: string, surname: 'first' | 'last'): AuthorName {
  if (ORGANISATION.test(name)) return { family: name, given: '' };
  const comma = name.indexOf(',');
  if (comma >= 0) return { family: name.slice(0, comma).trim(), given: name.slice(comma + 1).trim() };
  const parts = name.split(/\s+/);
  const from = (start: number, end: number): string => parts.slice(start, end).join(' ');
  if (parts.length === 1) return { family: name, given: '' };
  if (surname === 'first' || /^\p{Lu}{1,3}\.?$/u.test(parts.at(-1) ?? '')) {
    let end = 0;
    while (end < parts.length - 2 && PARTICLES.has((parts[end] ?? '').toLowerCase())) end += 1;
    return { family: from(0, end + 1), given: from(end + 1, parts.length) };
  }
  let start = parts.length - 1;
  while (start > 1 && PARTICLES.has((parts[start - 1] ?? '').toLowerCase())) start -= 1;
  return { family: from(start, parts.length), given: from(0, start) };
}

/** Cuts at a word's end and marks the cut. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxChars / 2)).replace(/[\s,;:–-]+$/, '')}…`;
}

const MAX_DATE_CHARS = 30;

/** A date as it was given, without the time of day; empty where it tells no date. */
export function shownDate(publishedAt: string): string {
  const date = publishedAt.replace(/^(\d{4}-\d{2}-\d{2})T.*$/s, '$1').trim();
  return /\d/.test(date) && date.length <= MAX_DATE_CHARS ? date : '';
}

/** The newest of dates, as it was given; of equal ones the first. A date without a year is older than any with one. */
export function newestDate(dates: readonly (string | undefined)[]): string | undefined {
  let newest: string | undefined;
  for (const date of dates) {
    if (date === undefined || shownDate(date) === '') continue;
    if (newest === undefined || dateKey(date) > dateKey(newest)) newest = date;
  }
  return newest;
}

/** What dates compare by: `2019-03-01`, or as much of it as is given; else the year. */
function dateKey(date: string): string {
  return /^\d{4}(?:-\d{2}(?:-\d{2})?)?/.exec(date)?.[0] ?? yearOf(date) ?? '';
}
