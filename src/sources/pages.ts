import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { z } from 'zod';
import { givenJson } from '../lib/json';
import type { DerivedStore } from '../stores/stores';
import { citedAddress, FetchError, isSigned, shownAddress } from './fetch-address';
import { createFetcher, type FetchedPage, type Fetcher, type FetcherOptions } from './fetcher';
import { DOCUMENT_FORMATS } from './formats/document-formats';
import type { KeepOriginal, SourceFormats } from './formats/source-formats';
import { hashOf } from './record';
import type { RecordReading } from './source-problems';

const PageFacts = z.object({
  sha256: z.string(),
  mediaType: z.string().nullable(),
  finalUrl: z.string(),
  fetchedAt: z.string(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
});

export function createPages({
  fetch,
  derived,
}: {
  fetch: FetcherOptions;
  derived: DerivedStore | null;
}): Pages {
  return {
    open({ signal, ...importing }) {
      const fetcher = createFetcher(fetch);
      const kept = derived === null ? null : createKeptPages(derived, importing);
      return {
        read: (addresses, formats) =>
          readPages(addresses, {
            pageAt: (one) => pageAt(one, { fetcher, kept, signal }),
            prepare: async (some) => kept?.prepare(some),
            formats,
          }),
        keepOriginal: kept === null ? undefined : (bytes) => kept.keepOriginal(bytes),
        originalOf: async (sha256) => kept?.originalOf(sha256) ?? null,
        handOver: async () => kept?.handOver(),
        takeBack: async () => kept?.takeBack(),
        close: () => fetcher.close(),
      };
    },
  };
}

interface Reading {
  pageAt: (address: string) => Promise<KeptPage>;
  prepare: (addresses: readonly string[]) => Promise<void>;
  formats: Pick<SourceFormats, 'readBytes'>;
}

const AT_A_TIME = 200;

async function* readPages(addresses: readonly string[], reading: Reading): AsyncGenerator<PageReading> {
  for (let from = 0; from < addresses.length; from += AT_A_TIME) {
    const together = addresses.slice(from, from + AT_A_TIME);
    await reading.prepare(together);
    for (const [address, asked] of ahead(together, reading.pageAt)) {
      const page = await asked.catch(fetchError);
      if (page instanceof FetchError) {
        yield { address, reading: { ok: false, message: toldFailure(address, page) }, bytes: 0 };
        continue;
      }
      let bytes = page.bytes.byteLength;
      for await (const record of recordsOf(address, page, reading.formats)) {
        yield { address, reading: record, bytes };
        bytes = 0;
      }
    }
  }
}

/** Pages fetched ahead; the fetcher limits the rate per host. */
const AT_ONCE = 6;

/** Starts up to `AT_ONCE` calls ahead and yields them in order. */
function* ahead<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
): Generator<[Item, Promise<Result>]> {
  const asked: [Item, Promise<Result>][] = [];
  for (const item of items) {
    const result = ask(item);
    // Failures are handled when the item is due.
    result.catch(() => undefined);
    asked.push([item, result]);
    if (asked.length === AT_ONCE) yield* asked.splice(0, 1);
  }
  yield* asked;
}

function fetchError(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  throw error;
}

interface Means {
  fetcher: Fetcher;
  kept: KeptPages | null;
  signal: AbortSignal | undefined;
}

/** From this import, from the store if unchanged, or fetched. */
async function pageAt(address: string, { fetcher, kept, signal }: Means): Promise<KeptPage> {
  const found = (await kept?.find(address)) ?? null;
  if (found?.isOwn === true) return found.page;
  const stopped = signal === undefined ? {} : { signal };
  const answer = await fetcher.fetch(address, {
    ...stopped,
    ...(found === null ? {} : { validators: found.page }),
  });
  if (answer.kind === 'not-modified') {
    if (found === null) throw new Error(`not modified, and not kept: ${shownAddress(address)}`);
    await kept?.keepUnchanged(address, found.page);
    return found.page;
  }
  const page = keptForm(address, answer);
  // Stored before parsing, so that a parser crash needs no second fetch.
  await kept?.keep(address, page);
  return page;
}

/** Addresses with keys are not stored, so such pages are fetched again. */
function keptForm(address: string, { kind: _kind, ...page }: FetchedPage): KeptPage {
  const cited = citedAddress(address, page.finalUrl);
  return cited === page.finalUrl ? page : { ...page, finalUrl: cited, etag: null, lastModified: null };
}

/** Text formats are identified by media type or name, others by content. */
const ENDINGS: Readonly<Record<string, string>> = {
  'text/plain': '.txt',
  'text/markdown': '.md',
  'text/x-markdown': '.md',
  'application/json': '.json',
  'application/x-ndjson': '.jsonl',
  'application/jsonl': '.jsonl',
  'application/feed+json': '.json',
  'application/xhtml+xml': '.html',
  ...Object.fromEntries(
    Object.values(DOCUMENT_FORMATS).map(({ mediaType, endings }) => [mediaType, endings[0]]),
  ),
};

function endingOf({ mediaType, finalUrl }: KeptPage): string {
  const claimed = (mediaType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const named = extname(new URL(finalUrl).pathname).toLowerCase();
  // GitHub and others serve Markdown as plain text.
  if (claimed === 'text/plain' && named === '.md') return named;
  return ENDINGS[claimed] ?? (named === '' && claimed.startsWith('text/') ? '.txt' : named);
}

function bytesOf({ bytes }: KeptPage): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function* recordsOf(
  address: string,
  page: KeptPage,
  formats: Pick<SourceFormats, 'readBytes'>,
): AsyncGenerator<RecordReading> {
  const bytes = bytesOf(page);
  const cited = citedAddress(address, page.finalUrl);
  const sha256 = hashOf(bytes);
  const given = { bytes, ending: endingOf(page), file: null, explicit: true };
  let number = 0;
  for await (const reading of formats.readBytes(given)) {
    number += 1;
    // Sources with one address would be merged.
    const place = number === 1 ? cited : `${cited}#/${number}`;
    if (reading !== 'not-sources')
      yield reading.ok ? fromThere(reading, place, { accessedAt: page.fetchedAt, sha256 }) : reading;
  }
}

/** A page may only name an address on its own site, and no id. */
function fromThere(
  reading: RecordReading & { ok: true },
  cited: string,
  facts: { accessedAt: string; sha256: string },
): RecordReading {
  const { id: _id, file: _file, url: said, ...record } = reading.record;
  const isOfTheSite = said !== undefined && !isSigned(said) && new URL(said).origin === new URL(cited).origin;
  return { ...reading, record: { ...record, url: isOfTheSite ? said : cited, ...facts } };
}

function toldFailure(given: string, { address, reason }: FetchError): string {
  return address === shownAddress(given) ? reason : `${reason} (at ${address})`;
}

type PageFacts = z.infer<typeof PageFacts>;

interface KeptPage extends Omit<PageFacts, 'sha256'> {
  bytes: Uint8Array;
}

interface KeptPages {
  /** Loads and holds stored pages in one batch. */
  prepare(addresses: readonly string[]): Promise<void>;
  /** `isOwn` is true if this import fetched the page. Null if it is not stored completely. */
  find(address: string): Promise<{ page: KeptPage; isOwn: boolean } | null>;
  keep(address: string, page: KeptPage): Promise<void>;
  /** Records that the server still has the stored page. */
  keepUnchanged(address: string, page: KeptPage): Promise<void>;
  keepOriginal(bytes: Uint8Array): Promise<void>;
  originalOf(sha256: string): Promise<Buffer | null>;
  handOver(): Promise<void>;
  takeBack(): Promise<void>;
}

/** Later imports revalidate stored pages; a retried import reuses its own without a request. */
export function createKeptPages(
  derived: DerivedStore,
  { runId, isRetried = false, retriedAs = runId }: Omit<PagesFor, 'signal'>,
): KeptPages {
  const holder = `pages-${isRetried ? hashOf(retriedAs) : randomUUID()}`;
  const used = new Set<string>();
  const own = new Set<string>();
  // Imports without retry track their pages in memory.
  const ownKeys = (address: string): string[] => (isRetried ? [`page:${holder}:${hashOf(address)}`] : []);
  const put = async (values: readonly (readonly [string, Uint8Array])[]): Promise<void> => {
    await derived.put(holder, new Map(values));
    for (const [key] of values) used.add(key);
  };
  const originalOf = async (sha256: string): Promise<Buffer | null> => {
    const key = originalKey(sha256);
    const bytes = (await derived.get(holder, [key])).get(key);
    if (bytes === undefined || hashOf(bytes) !== sha256) return null;
    used.add(key);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  return {
    originalOf,
    async prepare(addresses) {
      const keys = addresses.flatMap((address) => [...ownKeys(address), pageKey(address)]);
      const found = await derived.get(holder, keys);
      const kept = [...found.values()].flatMap((told) => factsIn(told) ?? []);
      await derived.hold(
        holder,
        kept.map(({ sha256 }) => originalKey(sha256)),
      );
    },
    async find(address) {
      const keys = [...ownKeys(address), pageKey(address)];
      const found = await derived.get(holder, keys);
      const key = keys.find((one) => found.has(one));
      const facts = key === undefined ? null : factsIn(found.get(key));
      if (facts === null) return null;
      const { sha256, ...page } = facts;
      const bytes = await originalOf(sha256);
      if (bytes === null) return null;
      for (const one of found.keys()) used.add(one);
      return { page: { ...page, bytes }, isOwn: own.has(address) || key !== pageKey(address) };
    },
    async keep(address, { bytes, ...page }) {
      const sha256 = hashOf(bytes);
      const told = toldFacts({ ...page, sha256 });
      const keys = [...ownKeys(address), pageKey(address)];
      await put([[originalKey(sha256), bytes], ...keys.map((key) => [key, told] as const)]);
      own.add(address);
    },
    async keepUnchanged(address, { bytes, ...page }) {
      const told = toldFacts({ ...page, sha256: hashOf(bytes) });
      if (isRetried) await put(ownKeys(address).map((key) => [key, told]));
      own.add(address);
    },
    keepOriginal: (bytes) => put([[originalKey(hashOf(bytes)), bytes]]),
    async handOver() {
      await derived.hold(runId, [...used]);
      await derived.clearRun(holder);
    },
    async takeBack() {
      await derived.clearRun(holder);
    },
  };
}

function originalKey(sha256: string): string {
  return `original:${sha256}`;
}

function pageKey(address: string): string {
  return `page:${hashOf(address)}`;
}

function toldFacts(facts: PageFacts): Uint8Array {
  return Buffer.from(JSON.stringify(facts));
}

/** Null for damaged facts or another version's, so the page is fetched again. */
function factsIn(bytes: Uint8Array | undefined): PageFacts | null {
  if (bytes === undefined) return null;
  const json = givenJson(Buffer.from(bytes).toString('utf8'));
  return json.ok ? (PageFacts.safeParse(json.value).data ?? null) : null;
}

export interface PageReader {
  read(addresses: readonly string[], formats: Pick<SourceFormats, 'readBytes'>): AsyncIterable<PageReading>;
  keepOriginal?: KeepOriginal | undefined;
}

export interface PageReading {
  address: string;
  reading: RecordReading;
  /** 0 for failed pages and further records of a page. */
  bytes: number;
}

export interface ImportedPages extends PageReader {
  originalOf(sha256: string): Promise<Buffer | null>;
  handOver(): Promise<void>;
  takeBack(): Promise<void>;
  close(): Promise<void>;
}

interface PagesFor {
  runId: string;
  /** True if a retry after a crash should reuse fetched pages. */
  isRetried?: boolean;
  /** Identifies the import if a run has several, or its id may repeat. */
  retriedAs?: string;
  signal?: AbortSignal | undefined;
}

export interface Pages {
  open(importing: PagesFor): ImportedPages;
}
