import { normaliseUrl } from '../../evidence/source-records';
import { tokensOf } from '../../text/sentences';
import { STOP_WORDS } from '../../text/words';
import { yearOf } from '../attribution';
import type { BibliographyEntry } from './cited-statements';

export interface CitableSource {
  id: string;
  url: string | null;
  title: string | null;
  file?: string | null | undefined;
  author?: string | null | undefined;
  publishedAt?: string | null | undefined;
}

/**
 * In order of certainty: equal address, same page after normalisation, same DOI, the name of the file, prefix of the address, same
 * or similar title, a short title.
 */
export type MatchedBy = 'address' | 'page' | 'doi' | 'file' | 'prefix' | 'title';

export interface SourceMatch {
  /** The id; null if no source matches, or several do. */
  source: string | null;
  /** The kind of match, also of several; null if none matches. */
  how: MatchedBy | null;
  /** Ids of the ambiguous sources, at least two; else empty. */
  between: string[];
}

interface Comparable {
  url: string | null;
  page: string | null;
  doi: string | null;
  title: TitleWords | null;
  words: string[];
  /** In lower case. */
  text: string;
}

type Source = Comparable & SourceName & { id: string };

const MATCHERS: [MatchedBy, (entry: Comparable, source: Source) => boolean][] = [
  ['address', (entry, source) => entry.url !== null && entry.url === source.url],
  ['page', (entry, source) => entry.page !== null && entry.page === source.page],
  ['doi', (entry, source) => entry.doi !== null && entry.doi === source.doi],
  ['file', ({ text }, { file }) => file !== null && hasFileName(text, file)],
  [
    'prefix',
    (entry, source) => entry.page !== null && source.page !== null && isStartOf(entry.page, source.page),
  ],
  ['title', hasSameTitle],
  ['title', containsTitle],
  ['title', (entry, source) => isApart(entry, source) && isWholeTitle(entry.words, source)],
  ['title', (entry, source) => isApart(entry, source) && isShortName(entry.words, source)],
];

export function matchSources(
  entries: readonly BibliographyEntry[],
  sources: readonly CitableSource[],
): SourceMatch[] {
  const compared = sources.map((source): Source => {
    const { id, url, title } = source;
    return { id, words: [], text: '', ...nameOf(source), ...comparable(url, url ?? '', title) };
  });
  return entries.map(({ url, text, title }) =>
    matchEntry(
      { words: tokensOf(text), text: text.toLowerCase(), ...comparable(url, `${url ?? ''} ${text}`, title) },
      compared,
    ),
  );
}

function matchEntry(entry: Comparable, sources: readonly Source[]): SourceMatch {
  for (const [how, isSame] of MATCHERS) {
    const found = sources.filter((source) => isSame(entry, source));
    const [first] = found;
    if (first === undefined) continue;
    if (found.length === 1) return { source: first.id, how, between: [] };
    // Titles distinguish pages below one address.
    const titled = how === 'prefix' ? found.filter((source) => hasSameTitle(entry, source)) : [];
    const [only] = titled;
    if (only !== undefined && titled.length === 1) return { source: only.id, how: 'title', between: [] };
    return { source: null, how, between: found.map(({ id }) => id) };
  }
  return { source: null, how: null, between: [] };
}

function hasSameTitle(entry: Comparable, source: Comparable): boolean {
  return entry.title !== null && source.title !== null && isSameTitle(entry.title, source.title);
}

/** True without a differing address: a comment on a work contains its title too. */
function isApart(entry: Comparable, source: Comparable): boolean {
  return entry.url === null || source.url === null;
}

function containsTitle(entry: Comparable, source: Comparable): boolean {
  if (!isApart(entry, source)) return false;
  return source.title !== null && containsWords(entry.words, source.title);
}

function comparable(
  url: string | null,
  text: string,
  title: string | null,
): Omit<Comparable, 'words' | 'text'> {
  return {
    url: url?.trim() ?? null,
    page: url === null ? null : pageKey(url),
    doi: parseDoi(text),
    title: title === null ? null : titleWords(title),
  };
}

const START_PAGE = /\/(?:index|default)\.(?:html?|php|aspx?)(?=$|\?)/i;
const FRAGMENT = /#.*$/;
const HAS_PATH = /^https:\/\/[^/?#]+\/[^/?#]/;

function pageKey(url: string): string {
  const key = normaliseUrl(/^www\./i.test(url) ? `https://${url}` : url);
  return key.replace(START_PAGE, '').replace(FRAGMENT, '').replace(/\/$/, '');
}

/** True if one is the start of the other up to the end of a path part. A host alone does not count. */
function isStartOf(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short === long || !HAS_PATH.test(short)) return false;
  return long.startsWith(short) && '/?&'.includes(long.charAt(short.length));
}

const DOI = /10\.\d{4,9}\/[^\s?#&"<>]+/i;
const DOI_SUFFIX =
  /(?:\/(?:full|abstract|abs|pdf|html|epdf|fulltext|meta|summary)|\.pdf|\.full|[.,;:)\]/]|v\d{1,2}(?=$|\.full))+$/i;
const ARXIV = /arxiv\.org\/(?:abs|pdf|html)\/(\d{4}\.\d{4,5})|\barxiv:\s?(\d{4}\.\d{4,5})/i;

/** DOI in an address or a text, in lower case; an arXiv number is converted to its registered DOI. */
export function parseDoi(text: string): string | null {
  const arxiv = ARXIV.exec(text);
  if (arxiv !== null) return `10.48550/arxiv.${arxiv[1] ?? arxiv[2] ?? ''}`;
  const doi = DOI.exec(decodeAddress(text))?.[0];
  return doi === undefined ? null : doi.toLowerCase().replace(DOI_SUFFIX, '');
}

function decodeAddress(text: string): string {
  return text
    .replace(/%2f/gi, '/')
    .replace(/%28/g, '(')
    .replace(/%29/g, ')')
    .replace(/%3[aA]/g, ':');
}

interface TitleWords {
  words: string[];
  parts: string[][];
}

/** Shorter titles are too common. */
const MIN_TITLE_WORDS = 3;
const MIN_WORDS_IN_TEXT = 6;
const MIN_SIMILARITY = 0.9;
const TITLE_SEPARATOR = /\s+[-–|·:]\s+|\s*—\s*|\s*[|｜_]\s*|\s*-(?=[^-]*(?:网|网站|知乎|百科|中心)$)/;

function titleWords(title: string): TitleWords {
  const pieces = title.split(TITLE_SEPARATOR).filter((piece) => piece.trim() !== '');
  const parts = pieces.map((_, at) => tokensOf(pieces.slice(0, at + 1).join(' ')));
  return { words: tokensOf(title), parts };
}

/** The same words, or nearly, with equal numbers; a site name behind either title is ignored. */
function isSameTitle(one: TitleWords, other: TitleWords): boolean {
  const ofOne = [one.words, ...one.parts].filter((words) => words.length >= MIN_TITLE_WORDS);
  const ofOther = [other.words, ...other.parts].filter((words) => words.length >= MIN_TITLE_WORDS);
  return ofOne.some((words) => ofOther.some((others) => isSimilar(words, others)));
}

/** True if the text contains all words of the title in a row, or all but its last parts. Short titles occur in ordinary sentences. */
function containsWords(words: readonly string[], title: TitleWords): boolean {
  const text = ` ${words.join(' ')} `;
  return [title.words, ...title.parts].some(
    (part) => part.length >= MIN_WORDS_IN_TEXT && text.includes(` ${part.join(' ')} `),
  );
}

/** Dice coefficient of the words, 0–1. */
function diceSimilarity(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of other) {
    const many = left.get(word) ?? 0;
    if (many === 0) continue;
    left.set(word, many - 1);
    shared += 1;
  }
  return (2 * shared) / Math.max(1, one.length + other.length);
}

function isSimilar(one: readonly string[], other: readonly string[]): boolean {
  return diceSimilarity(one, other) >= MIN_SIMILARITY && sortedNumbers(one) === sortedNumbers(other);
}

function sortedNumbers(words: readonly string[]): string {
  return words
    .filter((word) => /^\d/.test(word))
    .sort()
    .join(' ');
}

interface SourceName {
  /** File name in lower case, without folders. */
  file: string | null;
  /** Words of the file name without its ending, with a space between. */
  stem: string;
  /** Words of title, author, year and file. */
  nameWords: ReadonlySet<string>;
}

function nameOf({ title, file = null, author = null, publishedAt = null }: CitableSource): SourceName {
  const name = file?.split(/[\\/]/).at(-1)?.toLowerCase() ?? null;
  const stem = tokensOf(
    (name ?? '').replace(/\.[a-z0-9]{1,5}$/, '').replace(/[-_.]+|(?<=\p{L})(?=\d)/gu, ' '),
  );
  const told = [title ?? '', author ?? '', yearOf(publishedAt ?? undefined) ?? ''];
  return { file: name, stem: stem.join(' '), nameWords: new Set([...told.flatMap(tokensOf), ...stem]) };
}

/** True if the text, in lower case, has the name with no part of another name beside it. */
function hasFileName(text: string, file: string): boolean {
  for (let at = text.indexOf(file); at >= 0; at = text.indexOf(file, at + 1)) {
    const isWhole =
      !/[\p{L}\p{N}_-]$/u.test(text.slice(Math.max(0, at - 1), at)) &&
      !/^[\p{L}\p{N}_-]/u.test(text.slice(at + file.length, at + file.length + 1));
    if (isWhole) return true;
  }
  return false;
}

function isWholeTitle(words: readonly string[], { title }: Comparable): boolean {
  return title !== null && words.length > 0 && words.join(' ') === title.words.join(' ');
}

/** `Trial 2020` for “A trial of vitamin D”, 2020: several words, all of them of the title, the author, the year or the file. */
function isShortName(words: readonly string[], { stem, nameWords }: SourceName): boolean {
  if (words.length === 0) return false;
  if (stem !== '' && words.join(' ') === stem) return true;
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 1 && words.every((word) => nameWords.has(word) || STOP_WORDS.has(word));
}

/** Recognises the given sources by name. */
export interface SourceNames {
  /**
   * In brackets within a sentence, which may also hold words of the sentence: a file name, a title, its beginning, or a short
   * title with a number.
   */
  isCited: (name: string) => boolean;
  /** As an entry of a source list. */
  isListed: (text: string) => boolean;
}

export const NO_NAMES: SourceNames = { isCited: () => false, isListed: () => false };

export function createSourceNames(sources: readonly CitableSource[]): SourceNames {
  const named = sources.map(nameOf);
  const files = new Set(named.flatMap(({ file }) => file ?? []));
  const titles = new Set(sources.flatMap(({ title }) => title?.trim().toLowerCase() ?? []));
  const isShort = (text: string): boolean => {
    const words = tokensOf(text);
    return words.length > 1 && named.some((source) => isShortName(words, source));
  };
  return {
    isCited: (name) => {
      const own = name.trim().toLowerCase();
      return (
        files.has(own) ||
        (titles.has(own) && /\s/.test(own)) ||
        (/\p{L}.*\d/su.test(own) && isShort(own)) ||
        beginsOneTitle(name.trim(), sources)
      );
    },
    isListed: (text) => {
      const own = text.trim().toLowerCase();
      return (
        titles.has(own) || named.some(({ file }) => file !== null && hasFileName(own, file)) || isShort(own)
      );
    },
  };
}

/** `Asthma care` for “Asthma care in the north”, if no other title begins with it. */
function beginsOneTitle(name: string, sources: readonly CitableSource[]): boolean {
  const telling = tokensOf(name).filter((word) => !STOP_WORDS.has(word));
  if (telling.length < 2 || !/^[\p{Lu}\p{N}]/u.test(name)) return false;
  const begun = sources.filter(({ title }) => {
    const whole = title?.trim() ?? '';
    return whole.startsWith(name) && !/^[\p{L}\p{N}]/u.test(whole.slice(name.length));
  });
  return begun.length === 1;
}

export interface ListedEntry {
  entry: BibliographyEntry;
  isBracketed: boolean;
  list: number;
}

export interface Resolver {
  hasLabel: (label: string) => boolean;
  hasFootnote: (label: string) => boolean;
  /** `at` is the citation's offset. */
  byLabel: (label: string, at: number) => number | null;
  byFootnote: (label: string) => number | null;
  byAddress: (url: string) => number | null;
}

export function createResolver(listed: readonly ListedEntry[]): Resolver {
  const labels = new Map<string, number[]>();
  const footnotes = new Map<string, number[]>();
  const addresses = new Map<string, number[]>();
  for (const [at, { entry }] of listed.entries()) {
    const { label, url, origin } = entry;
    if (label !== null) addIndex(origin === 'footnote' ? footnotes : labels, normaliseLabel(label), at);
    if (url !== null) addIndex(addresses, normaliseUrl(url), at);
  }
  const restarting = hasRestartingLabels(listed);

  const only = (places: readonly number[]): number | null => {
    const [first] = places;
    if (first === undefined || places.length === 1) return first ?? null;
    // One source listed twice under one label counts as one.
    const urls = new Set(places.map((place) => listed[place]?.entry.url ?? `#${place}`));
    return urls.size === 1 ? first : null;
  };

  const known = new Map<string, number | null>();
  const remembered = (question: string, find: () => number | null): number | null => {
    const answer = known.get(question) ?? (known.has(question) ? null : find());
    known.set(question, answer);
    return answer;
  };
  /** Entries in the form of citations, if there are any. */
  const styles = new Map<string, number[]>();
  const styleOf = (key: string): number[] => {
    const all = labels.get(key) ?? [];
    const style = styles.get(key) ?? all.filter((place) => listed[place]?.isBracketed === true);
    styles.set(key, style);
    return style.length > 0 ? style : all;
  };
  const firstBelow = (places: readonly number[], at: number): number => {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((listed[places[middle] ?? -1]?.entry.start ?? Infinity) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    hasLabel: (label) => labels.has(normaliseLabel(label)),
    hasFootnote: (label) => footnotes.has(normaliseLabel(label)),
    byLabel(label, at) {
      const style = styleOf(normaliseLabel(label));
      if (style.length < 2 || !restarting)
        return remembered(`label ${normaliseLabel(label)}`, () => only(style));
      // Lists at the end of each chapter restart at 1: the next list below belongs to the chapter.
      const below = style[firstBelow(style, at)];
      const list = below === undefined ? undefined : listed[below]?.list;
      return remembered(`label ${normaliseLabel(label)} of ${list}`, () =>
        only(style.filter((place) => listed[place]?.list === list)),
      );
    },
    byFootnote: (label) =>
      only(footnotes.get(normaliseLabel(label)) ?? labels.get(normaliseLabel(label)) ?? []),
    byAddress: (url) => (addresses.get(normaliseUrl(url)) ?? [])[0] ?? null,
  };
}

function addIndex(map: Map<string, number[]>, key: string, place: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [place]);
  else known.push(place);
}

function normaliseLabel(label: string): string {
  return label
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/^0+(?=\d)/, '')
    .replace(/(?<=.)\^$/, '');
}

function hasRestartingLabels(listed: readonly ListedEntry[]): boolean {
  const lists = new Map<string, number>();
  return listed.some(({ entry: { label, origin }, list }) => {
    if (label === null || origin !== 'list') return false;
    const known = lists.get(normaliseLabel(label));
    lists.set(normaliseLabel(label), list);
    return known !== undefined && known !== list;
  });
}
