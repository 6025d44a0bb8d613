import { extname } from 'node:path';
import { createFetcher, type FetchedPage, type Fetcher, type FetcherOptions } from '../../fetch/fetcher';
import { FetchError, shownAddress } from '../../fetch/fetch-error';
import type { DerivedStore } from '../../stores/derived-store';
import { DOCUMENT_FORMATS } from '../formats/document-formats';
import type { SourceFormats } from '../formats/source-formats';
import { hashOf } from '../source-id';
import type { RecordReading } from '../source-reading';
import { createKeptPages, type KeptPage, type KeptPages } from './kept-pages';
import type { PageReading, Pages } from './page-reader';
import { citedAddress, isSigned } from './told-address';

/** Pages by the guarded fetcher. Where there is a store their originals are kept; where there is none each is fetched whole. */
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

/** So many pages are fetched while one is read; hosts are kept apart by the fetcher. */
const AT_ONCE = 6;

/** What is asked for each of the items, in their order, and for some of them before their turn comes. */
function* ahead<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
): Generator<[Item, Promise<Result>]> {
  const asked: [Item, Promise<Result>][] = [];
  for (const item of items) {
    const result = ask(item);
    // A failure is told when its turn comes.
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

/** The page as this import has fetched it already, as it is kept and has not changed since, or as it is now. */
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
  // Before it is parsed: what a parser does not survive is not fetched again.
  await kept?.keep(address, page);
  return page;
}

/** A key in an address is kept nowhere; what it was given for is fetched whole the next time. */
function keptForm(address: string, { kind: _kind, ...page }: FetchedPage): KeptPage {
  const cited = citedAddress(address, page.finalUrl);
  return cited === page.finalUrl ? page : { ...page, finalUrl: cited, etag: null, lastModified: null };
}

/** Text has nothing but its type, or its name, to say what it is; anything else is told by its content. */
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
  // GitHub and others send Markdown as plain text.
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
    // Sources of one address would be one source.
    const place = number === 1 ? cited : `${cited}#/${number}`;
    if (reading !== 'not-sources')
      yield reading.ok ? fromThere(reading, place, { accessedAt: page.fetchedAt, sha256 }) : reading;
  }
}

/** A page speaks of its own site alone: what says that it comes from elsewhere is cited by where it was found, and chooses no id. */
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
