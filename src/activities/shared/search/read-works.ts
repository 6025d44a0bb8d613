import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { SourceEntry } from '../../../contracts/source/source';
import type { Work } from '../../../search/found-works';
import { doiAddress } from '../../../core/sources/work-ids';
import { openFormats } from '../../../sources/formats/source-formats';
import { createIdentifier } from '../../../sources/identify';
import { storeRecords } from '../../../sources/import-sources';
import { citedAddress } from '../../../sources/pages/told-address';
import type { PageReading } from '../../../sources/pages/page-reader';
import { parseRecord } from '../../../sources/parse-record';
import type { RecordReading } from '../../../sources/source-reading';
import { readShared, storeArtifact } from '../artifacts';
import type { ActivityPorts } from '../ports';
import { ChosenWorks, keptAs, type SearchingRun, type TriedWork } from './search-artifacts';

export interface ReadWorksInput extends SearchingRun {
  round: number;
  worksRef: ArtifactRef;
  triedRef: ArtifactRef | null;
  /** The place of the first that is tried now. */
  from: number;
  mostPages: number;
  mostBytes: number;
  /** ISO 8601; no page is asked for after that. */
  until: string;
  /** `accessedAt` of what is not fetched. */
  asOf: string;
}

export interface ReadWorks {
  triedRef: ArtifactRef;
  next: number;
  pages: number;
  bytes: number;
  /** Why no more may be read; null where more may. */
  isOver: 'bytes' | 'time' | null;
}

/** So many works are tried by an activity: it is over in a minute or two, and little is parsed again where it is tried again. */
const AT_ONCE = 24;

/** Shorter ones are a line of a list of results. */
const LEAST_ABSTRACT_CHARS = 300;

interface Trying {
  work: Work;
  tried: TriedWork | null;
  /** Why its addresses could not be read, the last of them. */
  reason: string;
}

/**
 * Fetches the next works in their order, each at the first of its addresses that can be read, and stores what they say as sources. Where
 * none can be read an abstract stands for the work, if its index has one. Originals are kept before they are parsed, by their
 * address, so that no page is fetched twice where this is tried again.
 */
export async function readWorks(
  { content, pages }: ActivityPorts,
  { worksRef, triedRef, from, mostPages, mostBytes, until, round, asOf, ...run }: ReadWorksInput,
  signal: AbortSignal,
): Promise<ReadWorks> {
  if (pages === undefined) throw new Error('This worker reads no page; another one has to take the run.');
  const { works } = await readShared(content, worksRef, ChosenWorks);
  const batch = works
    .slice(from, from + Math.min(AT_ONCE, Math.max(1, mostPages)))
    .map((work): Trying => ({ work, tried: null, reason: 'no index knows an address of it' }));
  const identify = createIdentifier();
  const store = async (
    { work }: Trying,
    readings: readonly RecordReading[],
    fetched: { outcome: TriedWork['outcome']; reason?: string },
  ): Promise<TriedWork | null> => {
    const records = readings.flatMap((reading) => {
      const identified = identify({ name: work.title, file: null }, withWork(reading, work));
      return identified.ok ? [identified.record] : [];
    });
    if (records.length === 0) return null;
    const staged = { storeBatch: (texts: readonly string[]) => content.storeBatch(run.runId, texts) };
    const entries = await storeRecords(staged, records, asOf);
    return {
      round,
      keys: work.keys,
      ...fetched,
      entries: entries.map((entry) => standing(entry, work, fetched)),
    };
  };
  const opened = pages.open({ runId: run.runId, isRetried: true, retriedAs: keptAs(run), signal });
  const formats = openFormats(undefined);
  const spent = { pages: 0, bytes: 0 };
  let isOver: ReadWorks['isOver'] = null;
  try {
    for (let nth = 0; isOver === null; nth += 1) {
      const wanted = new Map<string, Trying>();
      for (const one of batch) {
        const address = one.tried === null ? one.work.addresses[nth] : undefined;
        if (address === undefined) continue;
        if (wanted.has(address)) one.reason = 'another work lies at its address';
        else wanted.set(address, one);
      }
      if (wanted.size === 0) break;
      if (Date.now() > Date.parse(until)) {
        isOver = 'time';
        break;
      }
      for await (const page of byPage(opened.read([...wanted.keys()], formats))) {
        const one = wanted.get(page.address);
        if (one === undefined) continue;
        spent.bytes += page.bytes;
        const good = page.readings.filter(({ ok }) => ok);
        one.tried = await store(one, good, { outcome: 'read' });
        const [bad] = page.readings.flatMap((reading) => (reading.ok ? [] : [reading.message]));
        if (one.tried === null) one.reason = bad ?? 'nothing on its page can be read';
        else spent.pages += 1;
        isOver = spent.bytes >= mostBytes ? 'bytes' : Date.now() > Date.parse(until) ? 'time' : null;
        if (isOver !== null) break;
      }
    }
  } finally {
    await opened.close();
    // Whatever ends this: what was fetched is the run's, and goes with it.
    await opened.handOver();
  }
  // What was not come to is left for its reason to be told of all that is left.
  const last = isOver === null ? batch.length : batch.findLastIndex(({ tried }) => tried !== null) + 1;
  const tried: TriedWork[] = [];
  for (const one of batch.slice(0, last))
    tried.push(one.tried ?? (await abstractOf(one, store)) ?? unread(one, round));
  return {
    triedRef: await storeArtifact(content, run.runId, { before: triedRef, tried }),
    next: from + last,
    ...spent,
    isOver,
  };
}

interface Page {
  address: string;
  readings: RecordReading[];
  bytes: number;
}

async function* byPage(readings: AsyncIterable<PageReading>): AsyncGenerator<Page> {
  let page: Page | null = null;
  for await (const { address, reading, bytes } of readings) {
    if (page !== null && page.address !== address) {
      yield page;
      page = null;
    }
    page ??= { address, readings: [], bytes };
    page.readings.push(reading);
  }
  if (page !== null) yield page;
}

/** What an index knows of a work stands where the page itself does not say it. */
function withWork(
  reading: RecordReading,
  { title, authors, published, venue, license }: Work,
): RecordReading {
  if (!reading.ok) return reading;
  const known = {
    title,
    ...(authors.length === 0 ? {} : { author: authors.join('; ') }),
    ...(published === null ? {} : { publishedAt: published }),
    ...(venue === null ? {} : { site: venue }),
    ...(license === null ? {} : { license }),
  };
  return { ...reading, record: { ...known, ...reading.record } };
}

function standing(
  entry: SourceEntry,
  { isRetracted }: Work,
  { outcome }: { outcome: TriedWork['outcome'] },
): SourceEntry {
  return {
    ...entry,
    ...(isRetracted ? { retracted: true as const } : {}),
    ...(outcome === 'abstract' ? { abstractOnly: true as const } : {}),
  };
}

/** Of a registered work alone: what is shown of any other page is a line of it. */
async function abstractOf(
  one: Trying,
  store: (
    one: Trying,
    readings: readonly RecordReading[],
    fetched: { outcome: TriedWork['outcome']; reason?: string },
  ) => Promise<TriedWork | null>,
): Promise<TriedWork | null> {
  const { text, doi, arxivId, pmid, addresses } = one.work;
  const isRegistered = (doi ?? arxivId ?? pmid) !== null;
  if (text === null || text.length < LEAST_ABSTRACT_CHARS || !isRegistered) return null;
  const at = doi === null ? addresses[0] : doiAddress(doi);
  const url = at === undefined ? {} : { url: citedAddress(at, at) };
  return store(one, [parseRecord({ content: text, ...url })], { outcome: 'abstract', reason: one.reason });
}

function unread({ work: { keys }, reason }: Trying, round: number): TriedWork {
  return { round, keys, outcome: 'unread', reason, entries: [] };
}
