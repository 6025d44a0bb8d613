import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { z } from 'zod';
import { parseBoundedJson } from '../lib/json';
import type { DerivedStore } from '../stores/stores';
import { citedAddress, FetchError, isSigned, redactAddress } from './fetch-address';
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
      const kept = derived === null ? null : createPageCache(derived, importing);
      return {
        read: (addresses, formats) =>
          readPages(addresses, {
            pageAt: (one) => loadPage(one, { fetcher, kept, signal }),
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

interface PageReadOptions {
  pageAt: (address: string) => Promise<StoredPage>;
  prepare: (addresses: readonly string[]) => Promise<void>;
  formats: Pick<SourceFormats, 'readBytes'>;
}

const PAGE_BATCH = 200;

async function* readPages(
  addresses: readonly string[],
  reading: PageReadOptions,
): AsyncGenerator<PageReading> {
  for (let from = 0; from < addresses.length; from += PAGE_BATCH) {
    const together = addresses.slice(from, from + PAGE_BATCH);
    await reading.prepare(together);
    for (const [address, asked] of prefetch(together, reading.pageAt)) {
      const page = await asked.catch(asFetchError);
      if (page instanceof FetchError) {
        yield { address, reading: { ok: false, message: failureMessage(address, page) }, bytes: 0 };
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
const FETCH_AHEAD = 6;

/** Starts up to `FETCH_AHEAD` calls ahead and yields them in order. */
function* prefetch<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
): Generator<[Item, Promise<Result>]> {
  const asked: [Item, Promise<Result>][] = [];
  for (const item of items) {
    const result = ask(item);
    // Failures are handled when the item is due.
    result.catch(() => undefined);
    asked.push([item, result]);
    if (asked.length === FETCH_AHEAD) yield* asked.splice(0, 1);
  }
  yield* asked;
}

function asFetchError(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  throw error;
}

interface FetchContext {
  fetcher: Fetcher;
  kept: PageCache | null;
  signal: AbortSignal | undefined;
}

/** From this import, from the store if unchanged, or fetched. */
async function loadPage(address: string, { fetcher, kept, signal }: FetchContext): Promise<StoredPage> {
  const found = (await kept?.find(address)) ?? null;
  if (found?.isOwn === true) return found.page;
  const stopped = signal === undefined ? {} : { signal };
  const answer = await fetcher.fetch(address, {
    ...stopped,
    ...(found === null ? {} : { validators: found.page }),
  });
  if (answer.kind === 'not-modified') {
    if (found === null) throw new Error(`not modified, and not kept: ${redactAddress(address)}`);
    await kept?.keepUnchanged(address, found.page);
    return found.page;
  }
  const page = storedForm(address, answer);
  // Stored before parsing, so that a parser crash needs no second fetch.
  await kept?.keep(address, page);
  return page;
}

/** Addresses with keys are not stored, so such pages are fetched again. */
function storedForm(address: string, { kind: _kind, ...page }: FetchedPage): StoredPage {
  const cited = citedAddress(address, page.finalUrl);
  return cited === page.finalUrl ? page : { ...page, finalUrl: cited, etag: null, lastModified: null };
}

/** Text formats are identified by media type or name, others by content. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/plain': '.txt',
  'text/markdown': '.md',
  'text/x-markdown': '.md',
  'application/json': '.json',
  'application/x-ndjson': '.jsonl',
  'application/jsonl': '.jsonl',
  'application/feed+json': '.json',
  'application/xhtml+xml': '.html',
  ...Object.fromEntries(
    Object.values(DOCUMENT_FORMATS).map(({ mediaType, extensions }) => [mediaType, extensions[0]]),
  ),
};

function extensionOf({ mediaType, finalUrl }: StoredPage): string {
  const claimed = (mediaType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const named = extname(new URL(finalUrl).pathname).toLowerCase();
  // GitHub and others serve Markdown as plain text.
  if (claimed === 'text/plain' && named === '.md') return named;
  return EXTENSIONS[claimed] ?? (named === '' && claimed.startsWith('text/') ? '.txt' : named);
}

function bytesOf({ bytes }: StoredPage): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function* recordsOf(
  address: string,
  page: StoredPage,
  formats: Pick<SourceFormats, 'readBytes'>,
): AsyncGenerator<RecordReading> {
  const bytes = bytesOf(page);
  const cited = citedAddress(address, page.finalUrl);
  const sha256 = hashOf(bytes);
  const given = { bytes, extension: extensionOf(page), file: null, explicit: true };
  let number = 0;
  for await (const reading of formats.readBytes(given)) {
    number += 1;
    // Sources with one address would be merged.
    const place = number === 1 ? cited : `${cited}#/${number}`;
    if (reading !== 'not-sources')
      yield reading.ok ? withPageOrigin(reading, place, { accessedAt: page.fetchedAt, sha256 }) : reading;
  }
}

/** A page may only name an address on its own site, and no id. */
function withPageOrigin(
  reading: RecordReading & { ok: true },
  cited: string,
  facts: { accessedAt: string; sha256: string },
): RecordReading {
  const { id: _id, file: _file, url: said, ...record } = reading.record;
  const isOfTheSite = said !== undefined && !isSigned(said) && new URL(said).origin === new URL(cited).origin;
  return { ...reading, record: { ...record, url: isOfTheSite ? said : cited, ...facts } };
}

function failureMessage(given: string, { address, reason }: FetchError): string {
  return address === redactAddress(given) ? reason : `${reason} (at ${address})`;
}

type PageFacts = z.infer<typeof PageFacts>;

interface StoredPage extends Omit<PageFacts, 'sha256'> {
  bytes: Uint8Array;
}

interface PageCache {
  /** Loads and holds stored pages in one batch. */
  prepare(addresses: readonly string[]): Promise<void>;
  /** `isOwn` is true if this import fetched the page. Null if it is not stored completely. */
  find(address: string): Promise<{ page: StoredPage; isOwn: boolean } | null>;
  keep(address: string, page: StoredPage): Promise<void>;
  /** Records that the server still has the stored page. */
  keepUnchanged(address: string, page: StoredPage): Promise<void>;
  keepOriginal(bytes: Uint8Array): Promise<void>;
  originalOf(sha256: string): Promise<Buffer | null>;
  handOver(): Promise<void>;
  takeBack(): Promise<void>;
}

/** Later imports revalidate stored pages; a retried import reuses its own without a request. */
export function createPageCache(
  derived: DerivedStore,
  { runId, isRetried = false, retriedAs = runId }: Omit<PagesOptions, 'signal'>,
): PageCache {
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
      const kept = [...found.values()].flatMap((told) => decodeFacts(told) ?? []);
      await derived.hold(
        holder,
        kept.map(({ sha256 }) => originalKey(sha256)),
      );
    },
    async find(address) {
      const keys = [...ownKeys(address), pageKey(address)];
      const found = await derived.get(holder, keys);
      const key = keys.find((one) => found.has(one));
      const facts = key === undefined ? null : decodeFacts(found.get(key));
      if (facts === null) return null;
      const { sha256, ...page } = facts;
      const bytes = await originalOf(sha256);
      if (bytes === null) return null;
      for (const one of found.keys()) used.add(one);
      return { page: { ...page, bytes }, isOwn: own.has(address) || key !== pageKey(address) };
    },
    async keep(address, { bytes, ...page }) {
      const sha256 = hashOf(bytes);
      const told = encodeFacts({ ...page, sha256 });
      const keys = [...ownKeys(address), pageKey(address)];
      await put([[originalKey(sha256), bytes], ...keys.map((key) => [key, told] as const)]);
      own.add(address);
    },
    async keepUnchanged(address, { bytes, ...page }) {
      const told = encodeFacts({ ...page, sha256: hashOf(bytes) });
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

function encodeFacts(facts: PageFacts): Uint8Array {
  return Buffer.from(JSON.stringify(facts));
}

/** Null for damaged facts or another version's, so the page is fetched again. */
function decodeFacts(bytes: Uint8Array | undefined): PageFacts | null {
  if (bytes === undefined) return null;
  const json = parseBoundedJson(Buffer.from(bytes).toString('utf8'));
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

interface PagesOptions {
  runId: string;
  /** True if a retry after a crash should reuse fetched pages. */
  isRetried?: boolean;
  /** Identifies the import if a run has several, or its id may repeat. */
  retriedAs?: string;
  signal?: AbortSignal | undefined;
}

export interface Pages {
  open(importing: PagesOptions): ImportedPages;
}
