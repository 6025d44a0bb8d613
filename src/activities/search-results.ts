import type { RunSearch, SearchLog, SearchLogEntry } from '../contracts/run-input';
import type { ArtifactRef, SourceEntry } from '../contracts/source';
import { doiUrl } from '../lib/url';
import { citedAddress } from '../sources/fetch-address';
import { createSourceFormats } from '../sources/formats/source-formats';
import { storeRecords } from '../sources/import-sources';
import type { PageReading } from '../sources/pages';
import { parseRecord } from '../sources/record';
import { mergeWorks, type Work } from '../sources/search-service';
import type { RecordReading } from '../sources/source-problems';
import { createIdentifier } from '../sources/source-readings';
import type { ContentStore } from '../stores/content-store';
import { readArtifact, readCached, storeArtifact } from './artifacts';
import type { ActivityPorts, RunContext } from './ports';
import {
  ChosenWorks,
  readAttempts,
  type RunExecution,
  searchCacheKey,
  SearchResults,
  type WorkAttempt,
} from './search-indexes';

export interface ChooseWorksInput {
  run: Pick<RunContext, 'runId' | 'question'>;
  resultsRefs: ArtifactRef[];
  triedRef: ArtifactRef | null;
}

/** Merges the indexes' results and ranks untried works by how well title and excerpt answer the question. */
export async function chooseWorks(
  { content, threads }: ActivityPorts,
  { run: { runId, question }, resultsRefs, triedRef }: ChooseWorksInput,
  signal: AbortSignal,
): Promise<{ worksRef: ArtifactRef; works: number }> {
  const tried = new Set((await readAttempts(content, triedRef)).flatMap(({ keys }) => keys));
  const found = (await readSearchResults(content, resultsRefs)).works;
  const untried = found.filter(({ keys }) => !keys.some((key) => tried.has(key)));
  const texts = untried.map(({ title, text }) => ({ title, text: text ?? '' }));
  const places = await threads.run('rank-texts', { question, texts }, signal);
  const works = places.flatMap((place) => untried[place] ?? []);
  return { worksRef: await storeArtifact(content, runId, { works }), works: works.length };
}

async function readSearchResults(
  content: ContentStore,
  resultsRefs: readonly ArtifactRef[],
): Promise<{ works: Work[]; queries: string[]; problems: string[] }> {
  const rounds = await Promise.all(resultsRefs.map((ref) => readArtifact(content, ref, SearchResults)));
  return {
    works: mergeWorks(rounds.flatMap(({ answers }) => answers)),
    queries: rounds.flatMap(({ queries }) => queries),
    problems: [...new Set(rounds.flatMap(({ problems }) => problems))],
  };
}

export interface ReadWorksInput extends RunExecution {
  round: number;
  worksRef: ArtifactRef;
  triedRef: ArtifactRef | null;
  from: number;
  mostPages: number;
  mostBytes: number;
  /** ISO 8601; no requests after that. */
  until: string;
  /** `accessedAt` of sources that are not fetched. */
  asOf: string;
}

export interface ReadWorksResult {
  triedRef: ArtifactRef;
  next: number;
  pages: number;
  bytes: number;
  /** The exceeded limit; null if reading may continue. */
  isOver: 'bytes' | 'time' | null;
}

/** Works per activity: it ends within 1–2 minutes, and a retry parses little again. */
const WORKS_PER_BATCH = 24;

/** Shorter texts are a line of a result list. */
const MIN_ABSTRACT_CHARS = 300;

interface PendingWork {
  work: Work;
  tried: WorkAttempt | null;
  /** Why the last of its addresses failed. */
  reason: string;
}

/** Caches originals by address before parsing, so that a retry fetches no page twice. */
export async function readWorks(
  { content, pages }: ActivityPorts,
  { worksRef, triedRef, from, mostPages, mostBytes, until, round, asOf, ...run }: ReadWorksInput,
  signal: AbortSignal,
): Promise<ReadWorksResult> {
  if (pages === undefined) throw new Error('This worker reads no page; another one has to take the run.');
  const { works } = await readCached(content, worksRef, ChosenWorks);
  const batch = works
    .slice(from, from + Math.min(WORKS_PER_BATCH, Math.max(1, mostPages)))
    .map((work): PendingWork => ({ work, tried: null, reason: 'no index knows an address of it' }));
  const identify = createIdentifier();
  const store = async (
    { work }: PendingWork,
    readings: readonly RecordReading[],
    fetched: { outcome: WorkAttempt['outcome']; reason?: string },
  ): Promise<WorkAttempt | null> => {
    const records = readings.flatMap((reading) => {
      const identified = identify({ name: work.title, file: null }, withIndexMetadata(reading, work));
      return identified.ok ? [identified.record] : [];
    });
    if (records.length === 0) return null;
    const staged = { storeBatch: (texts: readonly string[]) => content.storeBatch(run.runId, texts) };
    const entries = await storeRecords(staged, records, asOf);
    return {
      round,
      keys: work.keys,
      ...fetched,
      entries: entries.map((entry) => markSource(entry, work, fetched)),
    };
  };
  const opened = pages.open({ runId: run.runId, isRetried: true, retriedAs: searchCacheKey(run), signal });
  const formats = createSourceFormats(undefined);
  const spent = { pages: 0, bytes: 0 };
  let isOver: ReadWorksResult['isOver'] = null;
  try {
    for (let nth = 0; isOver === null; nth += 1) {
      const wanted = new Map<string, PendingWork>();
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
      for await (const page of groupByPage(opened.read([...wanted.keys()], formats))) {
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
    // Also after a failure: the fetched originals belong to the run.
    await opened.handOver();
  }
  // Works that were not reached get the common reason of all remaining ones later.
  const last = isOver === null ? batch.length : batch.findLastIndex(({ tried }) => tried !== null) + 1;
  const tried: WorkAttempt[] = [];
  for (const one of batch.slice(0, last))
    tried.push(one.tried ?? (await storeAbstract(one, store)) ?? unreadAttempt(one, round));
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

async function* groupByPage(readings: AsyncIterable<PageReading>): AsyncGenerator<Page> {
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

/** Fills in only fields that the page lacks. */
function withIndexMetadata(
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

function markSource(
  entry: SourceEntry,
  { isRetracted }: Work,
  { outcome }: { outcome: WorkAttempt['outcome'] },
): SourceEntry {
  return {
    ...entry,
    ...(isRetracted ? { retracted: true as const } : {}),
    ...(outcome === 'abstract' ? { abstractOnly: true as const } : {}),
  };
}

/** Only for registered works: the excerpt of any other page is a single line. */
async function storeAbstract(
  one: PendingWork,
  store: (
    one: PendingWork,
    readings: readonly RecordReading[],
    fetched: { outcome: WorkAttempt['outcome']; reason?: string },
  ) => Promise<WorkAttempt | null>,
): Promise<WorkAttempt | null> {
  const { text, doi, arxivId, pmid, addresses } = one.work;
  const isRegistered = (doi ?? arxivId ?? pmid) !== null;
  if (text === null || text.length < MIN_ABSTRACT_CHARS || !isRegistered) return null;
  const at = doi === null ? addresses[0] : doiUrl(doi);
  const url = at === undefined ? {} : { url: citedAddress(at, at) };
  return store(one, [parseRecord({ content: text, ...url })], { outcome: 'abstract', reason: one.reason });
}

function unreadAttempt({ work: { keys }, reason }: PendingWork, round: number): WorkAttempt {
  return { round, keys, outcome: 'unread', reason, entries: [] };
}

export interface SettleSearchInput {
  runId: string;
  search: RunSearch;
  round: number;
  resultsRefs: ArtifactRef[];
  triedRef: ArtifactRef | null;
  /** The exceeded limit; null if all works were tried. */
  isOver: 'pages' | 'tries' | 'bytes' | 'time' | null;
}

export interface SettledSearch {
  manifestRef: ArtifactRef | null;
  sourceCount: number;
  sourceChars: number;
  accountRef: ArtifactRef;
  /** Why nothing was found, as a clause; null if something was. */
  nothing: string | null;
}

const LIMIT_REASONS: Record<NonNullable<SettleSearchInput['isOver']>, string> = {
  pages: 'others answer better, and the pages that a search reads were read (search.maxPages)',
  tries:
    'others answer better, and so many could not be read that no more are tried for the pages that a search reads (search.maxPages)',
  bytes: 'others answer better, and the bytes that a search reads were read (search.maxBytes)',
  time: 'others answer better, and the time for reading was over (search.maxTimeMs)',
};

export async function settleSearch(
  { content }: ActivityPorts,
  { runId, search, round, resultsRefs, triedRef, isOver }: SettleSearchInput,
): Promise<SettledSearch> {
  const { works, queries, problems } = await readSearchResults(content, resultsRefs);
  const tried = dedupeAttempts(await readAttempts(content, triedRef));
  const byKey = new Map(tried.flatMap((one) => one.keys.map((key) => [key, one] as const)));
  const triedOf = ({ keys }: Work): WorkAttempt | undefined =>
    keys.map((key) => byKey.get(key)).find(Boolean);
  const named = new Map(works.flatMap((work) => work.keys.map((key) => [key, work] as const)));
  const firstOf = ({ versionOf }: Work): Work | undefined =>
    versionOf === null ? undefined : named.get(versionOf);
  const versions = versionsOf(works, triedOf, firstOf);
  const sources: SourceEntry[] = [];
  let chars = 0;
  for (const { entries } of tried.filter((one) => one.round === round)) {
    for (const { contentChars } of entries) chars += contentChars;
    sources.push(...entries.map((entry) => ({ ...entry, ...versions.get(entry.id) })));
  }
  const count = sources.length;
  const warnings = problems.map((problem) => ({
    code: 'search',
    message: `Not all was searched: ${problem}`,
  }));
  const account: SearchLog = {
    indexes: search.indexes.map(({ name }) => name),
    rounds: round,
    queries,
    problems,
    works: works.map((work) =>
      logEntry(work, triedOf(work), { version: firstOf(work), left: LIMIT_REASONS[isOver ?? 'pages'] }),
    ),
  };
  return {
    manifestRef: count === 0 ? null : await storeArtifact(content, runId, { sources, warnings }),
    sourceCount: count,
    sourceChars: chars,
    accountRef: await storeArtifact(content, runId, account),
    nothing: count === 0 ? nothingFoundReason(account) : null,
  };
}

/** Two addresses may lead to one page, and two pages may have the same text: the first one read counts. */
function dedupeAttempts(tried: readonly WorkAttempt[]): WorkAttempt[] {
  const seen = new Set<string>();
  return tried.map((one) => {
    const entries = one.entries.filter(({ id, contentRef }) => !seen.has(id) && !seen.has(contentRef));
    for (const { id, contentRef } of entries) seen.add(id).add(contentRef);
    if (entries.length > 0 || one.entries.length === 0) return { ...one, entries };
    return {
      ...one,
      entries,
      outcome: 'duplicate' as const,
      reason: 'another that was read has the same text',
    };
  });
}

/** Maps the source of another version to that of the first. */
function versionsOf(
  works: readonly Work[],
  triedOf: (work: Work) => WorkAttempt | undefined,
  firstOf: (work: Work) => Work | undefined,
): Map<string, Pick<SourceEntry, 'versionOf'>> {
  const idOf = (work: Work | undefined): string | undefined =>
    work === undefined ? undefined : triedOf(work)?.entries[0]?.id;
  return new Map(
    works.flatMap((work) => {
      const [id, first] = [idOf(work), idOf(firstOf(work))];
      return id === undefined || first === undefined || id === first
        ? []
        : [[id, { versionOf: first }] as const];
    }),
  );
}

function logEntry(
  work: Work,
  tried: WorkAttempt | undefined,
  { version, left }: { version: Work | undefined; left: string },
): SearchLogEntry {
  const { title, url, openUrl, doi, indexes, isRetracted } = work;
  const address = url ?? openUrl;
  const { outcome = 'unread', reason = tried === undefined ? left : undefined, entries = [] } = tried ?? {};
  return {
    title,
    url: address === null ? null : citedAddress(address, address),
    ...(doi === null ? {} : { doi }),
    indexes,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(entries.length === 0 ? {} : { sourceIds: entries.map(({ id }) => id) }),
    ...(isRetracted ? { retracted: true as const } : {}),
    ...(version === undefined ? {} : { versionOf: version.title }),
  };
}

const MAX_REASONS = 3;

function nothingFoundReason({ works, queries, indexes, problems }: SearchLog): string {
  const asked = `${indexes.join(', ')} (${queries.length === 1 ? 'one query' : `${queries.length} queries`})`;
  const told = problems.length === 0 ? '' : `; ${problems.slice(0, MAX_REASONS).join('; ')}`;
  if (works.length === 0) return `the search of ${asked} found nothing${told}`;
  const counts = new Map<string, number>();
  for (const { reason = '' } of works) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_REASONS);
  const why = reasons.map(([reason, count]) => `${count}: ${reason}`).join('; ');
  return `the search of ${asked} found ${works.length}, and nothing of it could be read: ${why}${told}`;
}
