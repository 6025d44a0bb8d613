import type { DiffSummary, SinceLast } from '../contracts/run-input';
import type { Work } from '../contracts/source';
import { writingTexts } from '../contracts/wording';
import { groupBy } from '../lib/iterables';
import { bullets, joinBlocks } from '../lib/strings';
import { toSafeLine } from '../lib/untrusted-text';
import { splitSentences } from '../text/sentences';
import joiningWords from './data/joining-words.json';
import nameWords from './data/name-words.json';

// Attribution of sources, changes since the previous run in Markdown, and shortening of sentences.

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
/** Limit for a title that replaces the author; few titles are longer. */
const MAX_TITLE_CHARS = 160;
const MAX_NAME_CHARS = 50;
const ORGANISATION = new RegExp(`\\b(?:${nameWords.organisations.join('|')})\\b`, 'i');

/** The year in a date such as `2005`, `2005-03-01` or `March 2005`; undefined if there is none. */
export function yearOf(publishedAt: string | undefined): string | undefined {
  return publishedAt === undefined ? undefined : /\b(1[5-9]|20)\d{2}\b/.exec(publishedAt)?.[0];
}

/** `Haykowsky and colleagues (2005)`, `Doe (2010)`; without an author, the title: `“Title” (Nutrition Journal, 2012)`. */
export function attributionOf(source: Attributable): Attribution {
  const year = yearOf(source.publishedAt);
  const authors = authorNames(source.author);
  if (authors.length === 0) {
    const title = `“${clip(source.title, MAX_TITLE_CHARS)}”`;
    const place = [source.site, year].filter((part) => part !== undefined).join(', ');
    return { subject: place === '' ? title : `${title} (${place})`, plural: false };
  }
  const names = authorsText(source.author);
  return {
    subject: year === undefined ? names : `${names} (${year})`,
    plural: authors.length > 1 || hasOthers(source.author),
  };
}

/** `Haykowsky and colleagues`, `Doe and Roe`. */
function authorsText(author: string | undefined): string {
  const names = authorNames(author);
  const [first = ''] = names;
  return names.length > 2 || hasOthers(author)
    ? writingTexts.andColleagues(first)
    : writingTexts.authors(names);
}

function hasOthers(author: string | undefined): boolean {
  return /\bet al\b/i.test(author ?? '');
}

/** `Haykowsky 2005`; without an author, the start of the title (`LIMA, 2023`), else the site. */
export function sourceName({ author, title, site, publishedAt }: Attributable): string {
  const [named] = authorNames(author);
  const year = yearOf(publishedAt);
  if (named !== undefined) return year === undefined ? named : `${named} ${year}`;
  return [shortTitle(title) || site, year].filter((part) => part !== undefined).join(', ');
}

function shortTitle(title: string): string {
  const [{ text = '' } = {}] = splitSentences(title.trim());
  const [name = ''] = text.replace(/[.?!]$/, '').split(/:\s|\s[-–—]\s/);
  return clip(name, MAX_NAME_CHARS);
}

export function authorNames(author: string | undefined): string[] {
  return parseAuthors(author).map(({ family }) => family);
}

/** A name as bibliographies have it. An organisation or a single word is all family name. */
export interface AuthorName {
  family: string;
  given: string;
}

/** An initial before the surname, or behind it. */
const GIVEN_FIRST = /^(?:\p{L}[\p{L}'’-]+\s)?(?:\p{Lu}\.?\s)+\p{L}{2,}/u;
const SURNAME_FIRST = /\s\p{Lu}{1,3}\.?$/u;

export function parseAuthors(author: string | undefined): AuthorName[] {
  if (author === undefined) return [];
  const text = author.replace(/,?\s*\bet al\.?/i, '').trim();
  if (text === '') return [];
  // A list with semicolons is mostly bibliographic: `Surname Given; Surname Given`.
  if (text.includes(';')) {
    const names = splitTrimmed(text, /;/);
    // `A. B. Doe; Jane Roe` has the given names first.
    const isGivenFirst =
      names.some((name) => GIVEN_FIRST.test(name)) && !names.some((name) => SURNAME_FIRST.test(name));
    const surname = isGivenFirst ? 'last' : 'first';
    return names.map((name) => parseAuthorName(name, surname));
  }
  if (ORGANISATION.test(text) || /^\{.*\}$/s.test(text))
    return [{ family: text.replace(/^\{(.*)\}$/s, '$1'), given: '' }];
  const joined = splitTrimmed(text, /\s+and\s+|\s*&\s*/);
  if (joined.every(isSurnameFirst)) return joined.map(partAtComma);
  const names = joined.flatMap((part) => splitTrimmed(part, /,/));
  // A longer name without initials is mostly that of an organisation, such as `Centers for Disease Control and Prevention`.
  if (names.some((name) => /\s\S+\s/.test(name) && !isPersonLike(name))) return [{ family: text, given: '' }];
  return names.map((name) => parseAuthorName(name, 'last'));
}

/**
 * Names for reference managers, which sort and invert them. A name is parted only if a comma or initials say how, or if it is one of
 * several full names; any other one stays as given, because `World Bank` and `Jane Doe` look alike.
 */
export function bibliographyNames(author: string | undefined): AuthorName[] {
  const text = (author ?? '').replace(/,?\s*\bet al\.?/i, '').trim();
  const whole = (name: string): AuthorName => ({ family: name.replace(/^\{(.*)\}$/s, '$1'), given: '' });
  const parted = (name: string): AuthorName =>
    name.includes(',')
      ? partAtComma(name)
      : hasInitials(name)
        ? parseAuthorName(name, initialsPlace(name))
        : whole(name);
  if (text === '') return [];
  if (text.includes(';')) {
    const listed = splitTrimmed(text, /;/);
    return listed.length > 1 && listed.every((name) => INDEXED_NAME.test(name))
      ? listed.map((name) => parseAuthorName(name, 'first'))
      : listed.map(parted);
  }
  const joined = splitTrimmed(text, /\s+and\s+|\s*&\s*/);
  if (joined.every(isSurnameFirst)) return joined.map(partAtComma);
  const names = joined.flatMap((part) => splitTrimmed(part, /,/));
  if (names.length === 1) return [parted(text)];
  return names.every(isPersonLike)
    ? names.map((name) => parseAuthorName(name, initialsPlace(name)))
    : [whole(text)];
}

function partAtComma(name: string): AuthorName {
  const comma = name.indexOf(',');
  return { family: name.slice(0, comma).trim(), given: name.slice(comma + 1).trim() };
}

/** Capitals without full stops, as in `NHS England`, may be an abbreviation. */
const INITIALS = /^(?:\p{Lu}\.){1,4}$|^\p{Lu}$/u;
/** `Satia MC`, in a list of such names. */
const INDEXED_NAME = /^\S+(?: \S+)? \p{Lu}{1,3}$/u;

/** `A. B. Doe` or `Doe J`: all words but one are initials. */
function hasInitials(name: string): boolean {
  const words = name.split(/\s+/);
  return words.length > 1 && (words.slice(1).every(isInitials) || words.slice(0, -1).every(isInitials));
}

function isInitials(word: string): boolean {
  return INITIALS.test(word);
}

function initialsPlace(name: string): 'first' | 'last' {
  return isInitials(name.split(/\s+/).at(-1) ?? '') ? 'first' : 'last';
}

/** Two words, particles and initials aside. */
function isPersonLike(name: string): boolean {
  const words = name.split(/\s+/).filter((word) => !PARTICLES.has(word.toLowerCase()));
  const hasInitial = words.some((word) => /^\p{Lu}\.$/u.test(word)) || hasInitials(name);
  return words.length === 2 || (words.length > 1 && hasInitial);
}

function splitTrimmed(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** `Doe, Jane` or `Doe, J.` is one name; `Jane Doe, John Roe` is two. */
function isSurnameFirst(text: string): boolean {
  const [family = '', given = '', ...others] = text.split(',').map((part) => part.trim());
  const surnames = family.split(/\s+/).filter((word) => !PARTICLES.has(word.toLowerCase()));
  return given !== '' && others.length === 0 && surnames.length === 1 && given.split(/\s+/).length <= 2;
}

function parseAuthorName(name: string, surname: 'first' | 'last'): AuthorName {
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

export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxChars / 2)).replace(/[\s,;:–-]+$/, '')}…`;
}

const MAX_DATE_CHARS = 30;

/** The date as given, without the time of day; empty if it is no date. */
export function displayDate(publishedAt: string): string {
  const date = publishedAt.replace(/^(\d{4}-\d{2}-\d{2})T.*$/s, '$1').trim();
  return /\d/.test(date) && date.length <= MAX_DATE_CHARS ? date : '';
}

/** The newest date as given; the first of equal ones. A date without a year is older than any with one. */
export function newestDate(dates: readonly (string | undefined)[]): string | undefined {
  let newest: string | undefined;
  for (const date of dates) {
    if (date === undefined || displayDate(date) === '') continue;
    if (newest === undefined || dateKey(date) > dateKey(newest)) newest = date;
  }
  return newest;
}

/** Sort key: `2019-03-01`, or the given part of it; else the year. */
function dateKey(date: string): string {
  return /^\d{4}(?:-\d{2}(?:-\d{2})?)?/.exec(date)?.[0] ?? yearOf(date) ?? '';
}

const MAX_SHORT_NAME_CHARS = 40;

/** Unique short names: `Doe 2010`, or `Doe 2010a` and `Doe 2010b` in the order given; without an author, the start of the title. */
export function shortNames(sources: readonly (Attributable & { id: string })[]): Map<string, string> {
  return new Map(
    [...groupBy(sources, shortName)].flatMap(([name, own]) =>
      own.map(({ id }, at) => [id, own.length === 1 ? name : `${name}${disambiguator(name, at)}`] as const),
    ),
  );
}

function shortName(source: Attributable): string {
  const [author] = authorNames(source.author);
  const year = yearOf(source.publishedAt);
  return [
    author ?? `“${clip(source.title, MAX_SHORT_NAME_CHARS)}”`,
    ...(year === undefined ? [] : [year]),
  ].join(' ');
}

/** `a`, `b`, … behind a year; ` (2)` behind a name, or after `z`. */
function disambiguator(name: string, index: number): string {
  const letter = 'abcdefghijklmnopqrstuvwxyz'.charAt(index);
  return /\d$/.test(name) && letter !== '' ? letter : ` (${index + 1})`;
}

export function sinceMarkdown(since: SinceLast): string {
  const { changes, more, changed } = since;
  if (changed !== true) return sinceSentence(since);
  const lines = changes.map(({ kind, line }) => `**${writingTexts.changes[kind]}**: ${line}`);
  const rest = more === 0 ? [] : [writingTexts.moreChanges(more)];
  return joinBlocks([sinceSentence(since), bullets([...lines, ...rest])]).trimEnd();
}

export function sinceSentence({ runId, asOf, changed, summary }: SinceLast): string {
  const run = toSafeLine(runId);
  if (asOf === null || summary === null) return writingTexts.notKept(run);
  const date = writingTexts.date(displayDate(asOf));
  if (changed === true)
    return writingTexts.changed(run, date, [...sourceChanges(summary), ...textChanges(summary)]);
  const { sources, findings, conflicts } = summary;
  return writingTexts.nothingChanged(run, date, {
    sources: sources.read?.unchanged ?? null,
    findings: findings.unchanged,
    conflicts: conflicts.unchanged,
  });
}

function sourceChanges({ sources: { read, newlyCited, noLongerCited } }: DiffSummary): string[] {
  if (read === null) return changeCounts('citedSources', { newlyCited, noLongerCited });
  const told = changeCounts('sources', { new: read.came, changed: read.changed, gone: read.went });
  return told.length === 0 ? [writingTexts.sourcesAsBefore(read.unchanged)] : told;
}

function textChanges({ findings, conflicts, gaps, setAside }: DiffSummary): string[] {
  return [
    ...changeCounts('findings', {
      new: findings.new + findings.newlyQuoted,
      changed: findings.changed,
      gone: findings.withdrawn + findings.notQuoted,
      asBefore: findings.unchanged,
    }),
    ...changeCounts('conflicts', {
      new: conflicts.opened,
      changed: conflicts.changed,
      gone: conflicts.closed,
    }),
    ...changeCounts('gaps', { new: gaps.opened, closed: gaps.closed }),
    ...changeCounts('setAside', { newly: setAside.newly, noLonger: setAside.noLonger }),
  ];
}

/** `findings: 2 new, 1 gone`; empty if all amounts are 0. */
function changeCounts(
  what: keyof (typeof writingTexts)['changedOf'],
  amounts: Partial<Record<keyof (typeof writingTexts)['changedHow'], number>>,
): string[] {
  const told = (Object.keys(amounts) as (keyof typeof amounts)[]).flatMap((how) => {
    const amount = amounts[how] ?? 0;
    return amount > 0 ? [`${amount} ${writingTexts.changedHow[how]}`] : [];
  });
  return told.length === 0 ? [] : [`${writingTexts.changedOf[what]} ${told.join(', ')}`];
}

/** Words with at least one letter or digit. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Words that reverse the statement before them: a sentence cut before them says something else. */
const REVERSAL_WORD = new RegExp(
  `(?<![\\p{L}-])(?:${joiningWords.reversals.join('|').replaceAll('.', '\\.')})\\b`,
  'iu',
);
/** A p-value of at least 0.05: the finding may be chance. */
const INSIGNIFICANT_P_VALUE = /\bp\s*[=>≥]\s*0?\.(?:0[5-9]|[1-9])/i;
/** Maximum length of a sentence with a reversal, as a multiple of the target. */
const LONGER_FOR_REVERSAL = 2;
/** Maximum length of a sentence that has no clause to end at, as a multiple of the target. */
const LONGER_FOR_CLAUSE = 1.5;
/** A concession states the contrary only behind it: `Although prices fell in towns, …`. */
const CONCESSION = new RegExp(`^(?:${joiningWords.granting.join('|')})\\b`, 'i');
const UNFINISHED = new RegExp(`(?:[\\s,;]+(?:${joiningWords.unfinished.join('|')}))+$`, 'i');

/**
 * Shortens a sentence, or a few, for a summary or a list. Removes parentheses first, then the text after the end of a sentence or
 * clause, marked with `…`. Keeps reversals and does not break a clause for a few words, so that the result may exceed `maxWords`.
 * Without its parentheses, the sentence stays whole up to `wholeUpTo` words.
 */
export function shorten(sentence: string, maxWords: number, wholeUpTo = maxWords): string {
  if (countWords(sentence) <= maxWords) return sentence;
  const compact = withoutParentheses(sentence);
  if (countWords(compact) <= wholeUpTo || CONCESSION.test(compact)) return compact;
  const window = compact.split(' ').slice(0, maxWords).join(' ');
  const isLongEnough = (length: number): boolean => length > window.length * 0.45;
  const boundary = Math.max(...joiningWords.boundaries.map((mark) => window.lastIndexOf(mark)));
  const sentences = lastSentenceEnd(compact, window.length);
  const endsSomewhere = isLongEnough(sentences) || isLongEnough(boundary);
  if (!endsSomewhere && countWords(compact) <= maxWords * LONGER_FOR_CLAUSE) return compact;
  const cut = isLongEnough(sentences)
    ? window.slice(0, sentences)
    : isLongEnough(boundary)
      ? window.slice(0, boundary)
      : window;
  const kept = beforeOpenParenthesis(cut)
    .replace(UNFINISHED, '')
    .replace(/[\s,;:…–-]+$/, '');
  const turned = isReversal(compact.slice(kept.length));
  return turned && countWords(compact) <= maxWords * LONGER_FOR_REVERSAL ? compact : `${kept} …`;
}

function lastSentenceEnd(text: string, length: number): number {
  return Math.max(0, ...splitSentences(text).flatMap(({ end }) => (end <= length ? [end] : [])));
}

function withoutParentheses(sentence: string): string {
  let plain = sentence;
  for (let before = ''; plain !== before;) {
    before = plain;
    plain = plain.replace(/\s*[([][^()[\]]*[)\]]/g, (aside) => (isReversal(aside) ? aside : ' …'));
  }
  return plain
    .replace(/(?:\s*…)+(?=[\s.,;:])/g, ' …')
    .replace(/\s+/g, ' ')
    .replace(/ …(?=[.,;:])/g, '…')
    .trim();
}

function beforeOpenParenthesis(cut: string): string {
  const open = Math.max(cut.lastIndexOf('('), cut.lastIndexOf('['));
  return open > 0 && !/[)\]]/.test(cut.slice(open)) ? cut.slice(0, open) : cut;
}

function isReversal(text: string): boolean {
  return REVERSAL_WORD.test(text) || INSIGNIFICANT_P_VALUE.test(text);
}
