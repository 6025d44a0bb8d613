import type { BibliographyEntry } from '../cited-report';
import { isStartOf, pageKey } from './page-key';
import { isSameTitle, likeness, names, titleWords, type TitleWords } from './title-words';
import { tokensOf } from '../../language/tokens';
import { doiOf } from './work-identifier';

/** A source as it is given, of which a report's entry may speak. */
export interface CitableSource {
  id: string;
  url: string | null;
  title: string | null;
  author?: string | null;
  /** Begins with the year. */
  publishedAt?: string | null;
}

/**
 * From the surest to the least sure: letter by letter; the same page but for what does not tell pages apart; the same
 * DOI; the start of the other's address; the same title, or nearly; its whole title
 * among other words; author and year.
 */
export type MatchedBy = 'address' | 'page' | 'doi' | 'prefix' | 'title' | 'author-year';

export interface SourceMatch {
  /** The id; null where no source fits, or more than one does. */
  source: string | null;
  /** By what it fits, or they all do; null where none does. */
  how: MatchedBy | null;
  /** The ids of the sources among which it cannot be told, two at least; else empty. */
  between: string[];
}

/** What a source or an entry is compared by. */
interface Comparable {
  url: string | null;
  page: string | null;
  doi: string | null;
  title: TitleWords | null;
  /** All of an entry's own words; none of a source. */
  words: string[];
  author: string;
  year: string | null;
}

type Source = Comparable & { id: string };

/** The works of two titles that share fewer words than this are not one, whoever wrote them. */
const UNLIKE = 0.3;

const TESTS: [MatchedBy, (entry: Comparable, source: Comparable) => boolean][] = [
  ['address', (entry, source) => entry.url !== null && entry.url === source.url],
  ['page', (entry, source) => entry.page !== null && entry.page === source.page],
  ['doi', (entry, source) => entry.doi !== null && entry.doi === source.doi],
  [
    'prefix',
    (entry, source) => entry.page !== null && source.page !== null && isStartOf(entry.page, source.page),
  ],
  ['title', isTitled],
  ['title', isNamed],
  ['author-year', isOfAuthorAndYear],
];

/** For each entry, in order, which of the sources it is. The surest way that finds any decides. */
export function matchSources(
  entries: readonly BibliographyEntry[],
  sources: readonly CitableSource[],
): SourceMatch[] {
  const compared = sources.map(({ id, url, title, author, publishedAt }): Source => {
    const year = /^\d{4}/.exec(publishedAt ?? '')?.[0] ?? null;
    return { id, words: [], ...comparable(url, url ?? '', title, author ?? null, year) };
  });
  return entries.map(({ url, text, title, author, year }) =>
    matchOf(
      { words: tokensOf(text), ...comparable(url, `${url ?? ''} ${text}`, title, author, year) },
      compared,
    ),
  );
}

function matchOf(entry: Comparable, sources: readonly Source[]): SourceMatch {
  for (const [how, isSame] of TESTS) {
    const found = sources.filter((source) => isSame(entry, source));
    const [first] = found;
    if (first === undefined) continue;
    if (found.length === 1) return { source: first.id, how, between: [] };
    // Pages below one address are told apart by their titles.
    const titled = how === 'prefix' ? found.filter((source) => isTitled(entry, source)) : [];
    const [only] = titled;
    if (only !== undefined && titled.length === 1) return { source: only.id, how: 'title', between: [] };
    return { source: null, how, between: found.map(({ id }) => id) };
  }
  return { source: null, how: null, between: [] };
}

function isTitled(entry: Comparable, source: Comparable): boolean {
  return entry.title !== null && source.title !== null && isSameTitle(entry.title, source.title);
}

/** Without an address that says otherwise: a comment on a work holds its title, too. */
function isNamed(entry: Comparable, source: Comparable): boolean {
  if (entry.url !== null && source.url !== null) return false;
  return source.title !== null && names(entry.words, source.title);
}

function isOfAuthorAndYear(entry: Comparable, source: Comparable): boolean {
  if (entry.year === null || entry.year !== source.year) return false;
  const name = familyName(entry.author);
  if (name.length < 2 || !wordsOf(source.author).includes(name)) return false;
  if (entry.title === null || source.title === null) return true;
  return likeness(entry.title.words, source.title.words) >= UNLIKE;
}

function comparable(
  url: string | null,
  text: string,
  title: string | null,
  author: string | null,
  year: string | null,
): Omit<Comparable, 'words'> {
  return {
    url: url?.trim() ?? null,
    page: url === null ? null : pageKey(url),
    doi: doiOf(text),
    title: title === null ? null : titleWords(title),
    author: author ?? '',
    year,
  };
}

/** `Smith, J.` and `J. Smith`: the first word that is no initial; the last word before the first comma. */
function familyName(author: string): string {
  const first = author.split(/[,;，；、&]|\band\b/u)[0] ?? '';
  return wordsOf(first).findLast((word) => word.length > 1) ?? '';
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}'’-]+/gu) ?? [];
}
