import { z } from 'zod';
import { type RequestedIndex, SearchIndexName } from '../contracts/run-input';
import { normaliseUrl } from '../evidence/source-records';
import { distinctBy } from '../lib/iterables';
import { normaliseArxivId, normaliseDoi } from '../lib/url';
import { sentenceKey } from '../text/duplicates';
import { FetchError } from './fetch-address';
import { createFetcher, type FetcherOptions } from './fetcher';
import { arxiv, brave, openalex, pubmed, searxng, tavily } from './search-providers';
import { indexProblem, SearchError, SearchHit, type SearchProvider } from './search-query';

const PROVIDERS: Readonly<Record<SearchIndexName, SearchProvider>> = {
  searxng,
  tavily,
  brave,
  openalex,
  arxiv,
  pubmed,
};

export interface SearchIndexes {
  /** Configuration problems as sentences; sends no request. */
  problems(asked: readonly RequestedIndex[]): string[];
  open(): OpenIndexes;
}

export interface OpenIndexes {
  /** Throws `UnansweredError`, or the signal's reason. */
  ask(
    index: RequestedIndex,
    query: string,
    options: { limit: number; signal?: AbortSignal },
  ): Promise<SearchHit[]>;
  close(): Promise<void>;
}

/** The message contains no query. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
  constructor(
    reason: string,
    readonly isRetryable: boolean,
  ) {
    super(reason);
  }
}

export function createSearchIndexes({
  fetch,
  keyOf,
}: {
  fetch: FetcherOptions;
  keyOf: (name: SearchIndexName) => string | null;
}): SearchIndexes {
  return {
    problems: (asked) =>
      asked.flatMap(({ name, settings }) => indexProblem(name, settings, keyOf(name)) ?? []),
    open() {
      const fetcher = createFetcher(fetch);
      return {
        async ask({ name, settings }, query, options) {
          try {
            const asked = { fetcher, key: keyOf(name), ...options };
            return await searchProvider(name).search(query, settings, asked);
          } catch (error) {
            if (error instanceof SearchError) throw new UnansweredError(error.message, false);
            if (error instanceof FetchError)
              throw new UnansweredError(`${name}: ${error.reason}`, error.isRetryable);
            throw error;
          }
        },
        close: () => fetcher.close(),
      };
    },
  };
}

/** The `SearchError` lists the known names. */
export function searchProvider(name: string): SearchProvider {
  const known = SearchIndexName.safeParse(name);
  if (known.success) return PROVIDERS[known.data];
  throw new SearchError(`there is no index called ${name}; there are ${SearchIndexName.options.join(', ')}`);
}

export interface IndexAnswer {
  index: string;
  hits: readonly SearchHit[];
}

export const Work = SearchHit.extend({
  keys: z.array(z.string()),
  indexes: z.array(z.string()),
  /** Addresses of the text, best first. */
  addresses: z.array(z.string()),
  /** Key of the work's first version; null for the first version itself. */
  versionOf: z.string().nullable(),
});
export type Work = z.infer<typeof Work>;

/** Merges hits with a common id or address. Different DOIs stay separate, perhaps as versions. */
export function mergeWorks(answers: readonly IndexAnswer[]): Work[] {
  const works: Work[] = [];
  const byKey = new Map<string, Work>();
  for (const { index, hits } of answers)
    for (const hit of hits) {
      const keys = workKeys(hit);
      if (keys.length === 0) continue;
      const known = keys.flatMap((key) => byKey.get(key) ?? []);
      const same = known.find((work) => !haveDifferentDois(work.keys, keys));
      const work = same ?? newWork(hit, known[0]?.keys[0] ?? null);
      if (same === undefined) works.push(work);
      mergeHit(work, index, hit, keys);
      for (const key of keys) if (!byKey.has(key)) byKey.set(key, work);
    }
  linkVersions(works);
  return works;
}

function newWork(hit: SearchHit, versionOf: string | null): Work {
  return { ...hit, keys: [], indexes: [], addresses: [], versionOf };
}

function mergeHit(work: Work, index: string, hit: SearchHit, keys: readonly string[]): void {
  if (!work.indexes.includes(index)) work.indexes.push(index);
  for (const key of keys) if (!work.keys.includes(key)) work.keys.push(key);
  if ((hit.text?.length ?? 0) > (work.text?.length ?? 0)) work.text = hit.text;
  if (work.authors.length === 0) work.authors = hit.authors;
  work.published ??= hit.published;
  work.venue ??= hit.venue;
  work.doi ??= hit.doi;
  work.arxivId ??= hit.arxivId;
  work.pmid ??= hit.pmid;
  work.license ??= hit.license;
  work.isRetracted ||= hit.isRetracted;
  // Open copies come before addresses that may need an account.
  work.openUrl ??= hit.openUrl;
  work.url ??= hit.url;
  const addresses = [work.openUrl, hit.openUrl, ...work.addresses, hit.url];
  work.addresses = distinctBy(
    addresses.flatMap((address) => address ?? []),
    normaliseUrl,
  );
}

/** Indexes may give one address to two DOIs. */
function haveDifferentDois(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [one, other].map((keys) => keys.filter((key) => key.startsWith('doi:')));
  return (
    a !== undefined && b !== undefined && a.length > 0 && b.length > 0 && !a.some((key) => b.includes(key))
  );
}

/** Addresses may contain ids; a DOI of arXiv identifies a preprint. */
function workKeys({ doi, arxivId, pmid, url, openUrl }: SearchHit): string[] {
  const written = [doi, url, openUrl].flatMap((text) => text ?? []);
  const arxivIds = [
    ...(arxivId === null ? [] : [arxivId]),
    ...written.flatMap((text) => normaliseArxivId(text) ?? []),
  ];
  const dois = written
    .flatMap((text) => normaliseDoi(text) ?? [])
    .filter((one) => normaliseArxivId(one) === null);
  return [
    ...new Set([
      ...dois.map((one) => `doi:${one}`),
      ...arxivIds.map((one) => `arxiv:${one}`),
      ...(pmid === null ? [] : [`pmid:${pmid}`]),
      ...[url, openUrl].flatMap((address) => (address === null ? [] : [normaliseUrl(address)])),
    ]),
  ];
}

/** Shorter titles are ambiguous. */
const MIN_TITLE_WORDS = 4;

/** Links works with equal title and first author, such as preprint and article. */
function linkVersions(works: readonly Work[]): void {
  const firsts = new Map<string, Work>();
  for (const work of works) {
    const title = sentenceKey(work.title);
    const author =
      sentenceKey(work.authors[0] ?? '')
        .split(' ')
        .at(-1) ?? '';
    const isRegistered = work.keys.some((key) => /^(?:doi|arxiv|pmid):/.test(key));
    if (!isRegistered || author === '' || title.split(' ').length < MIN_TITLE_WORDS) continue;
    const name = `${author}\n${title}`;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, work);
    else work.versionOf ??= first.keys[0] ?? null;
  }
}
