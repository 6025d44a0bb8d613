import { z } from 'zod';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';
import { distinctBy } from '../core/values/distinct-by';
import { normaliseUrl } from '../core/sources/source-url';
import { SearchHit } from './search-provider';
import { bareArxivId, bareDoi } from '../core/sources/work-ids';

export interface IndexAnswer {
  index: string;
  hits: readonly SearchHit[];
}

/** A work or a page, with what all indexes that named it know of it. */
export const Work = SearchHit.extend({
  /** By what it is known again: `doi:…`, `arxiv:…`, `pmid:…`, an address in its normal form. */
  keys: z.array(z.string()),
  /** The indexes that named it, each once. */
  indexes: z.array(z.string()),
  /** Where it may be read, best first, each once. */
  addresses: z.array(z.string()),
  /** The key of the work whose other version it is; null where it is none, or the first of them. */
  versionOf: z.string().nullable(),
});
export type Work = z.infer<typeof Work>;

/**
 * The works that answers name, in the order in which they are first named. What has one DOI, arXiv id, PubMed id or address is one
 * work; two DOIs are two, whatever else they share, and versions of each other where they share an id, or title and author.
 */
export function foundWorks(answers: readonly IndexAnswer[]): Work[] {
  const works: Work[] = [];
  const byKey = new Map<string, Work>();
  for (const { index, hits } of answers)
    for (const hit of hits) {
      const keys = keysOf(hit);
      if (keys.length === 0) continue;
      const known = keys.flatMap((key) => byKey.get(key) ?? []);
      const same = known.find((work) => !areApart(work.keys, keys));
      const work = same ?? newWork(hit, known[0]?.keys[0] ?? null);
      if (same === undefined) works.push(work);
      learn(work, index, hit, keys);
      for (const key of keys) if (!byKey.has(key)) byKey.set(key, work);
    }
  tellVersions(works);
  return works;
}

function newWork(hit: SearchHit, versionOf: string | null): Work {
  return { ...hit, keys: [], indexes: [], addresses: [], versionOf };
}

function learn(work: Work, index: string, hit: SearchHit, keys: readonly string[]): void {
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
  // What anybody may read comes before what may be behind an account.
  work.openUrl ??= hit.openUrl;
  work.url ??= hit.url;
  const addresses = [work.openUrl, hit.openUrl, ...work.addresses, hit.url];
  work.addresses = distinctBy(
    addresses.flatMap((address) => address ?? []),
    normaliseUrl,
  );
}

/** Two registered works are two, though an index may give both one address. */
function areApart(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [one, other].map((keys) => keys.filter((key) => key.startsWith('doi:')));
  return (
    a !== undefined && b !== undefined && a.length > 0 && b.length > 0 && !a.some((key) => b.includes(key))
  );
}

/** An address may hold an id; a DOI that arXiv gave is the id of a preprint. */
function keysOf({ doi, arxivId, pmid, url, openUrl }: SearchHit): string[] {
  const written = [doi, url, openUrl].flatMap((text) => text ?? []);
  const arxivIds = [
    ...(arxivId === null ? [] : [arxivId]),
    ...written.flatMap((text) => bareArxivId(text) ?? []),
  ];
  const dois = written.flatMap((text) => bareDoi(text) ?? []).filter((one) => bareArxivId(one) === null);
  return [
    ...new Set([
      ...dois.map((one) => `doi:${one}`),
      ...arxivIds.map((one) => `arxiv:${one}`),
      ...(pmid === null ? [] : [`pmid:${pmid}`]),
      ...[url, openUrl].flatMap((address) => (address === null ? [] : [normaliseUrl(address)])),
    ]),
  ];
}

/** Fewer words are the title of many things. */
const TELLING_WORDS = 4;

/** Registered works of one title and one first author: a preprint and its article. */
function tellVersions(works: readonly Work[]): void {
  const firsts = new Map<string, Work>();
  for (const work of works) {
    const title = sentenceKey(work.title);
    const author =
      sentenceKey(work.authors[0] ?? '')
        .split(' ')
        .at(-1) ?? '';
    const isRegistered = work.keys.some((key) => /^(?:doi|arxiv|pmid):/.test(key));
    if (!isRegistered || author === '' || title.split(' ').length < TELLING_WORDS) continue;
    const name = `${author}\n${title}`;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, work);
    else work.versionOf ??= first.keys[0] ?? null;
  }
}
