import { createHash, randomUUID } from 'node:crypto';
import type { Warning } from '../contracts/run';
import { type ArtifactRef, type SourceEntry, SourceManifest, type Work } from '../contracts/source';
import type { SkipInvalid } from '../contracts/start';
import { normaliseUrl } from '../evidence/source-records';
import { append, groupBy, maxOf } from '../lib/iterables';
import { toArtifactText } from '../lib/json';
import { stripUnsafe } from '../lib/untrusted-text';
import type { ContentStore } from '../stores/content-store';
import type { ImportedPages } from './pages';
import { hashOf } from './record';
import type { SourceReading } from './source-problems';
import { createSourceCollector } from './source-readings';

/** A batch is stored when it has this many sources or UTF-16 units. */
const BATCH_SOURCES = 1_024;
const BATCH_CHARS = 4_000_000;

interface ImportOptions {
  runId: string;
  readings: AsyncIterable<SourceReading>;
  content: ImportStore;
  pages?: Pick<ImportedPages, 'handOver' | 'takeBack'> | undefined;
  skipInvalid: SkipInvalid;
  /** Default `accessedAt`, ISO 8601. */
  asOf?: string;
  /** Set for activities: a retry imports under the same run id again and cleans up after the failed attempt. */
  isRetried?: boolean;
}

export interface ImportedSources {
  manifestRef: ArtifactRef;
  count: number;
  chars: number;
  warnings: Warning[];
}

type ValidRecord = (SourceReading & { ok: true })['record'];

/** Throws `InvalidSourcesError` and keeps nothing if records are bad or no source is left. */
export async function importSources(options: ImportOptions): Promise<ImportedSources> {
  const { runId, readings, skipInvalid, asOf, isRetried = false } = options;
  const staged = stageContent(options.content, isRetried ? runId : undefined);
  try {
    const noted = createSourceCollector({ skipInvalid });
    const batches = createBatches(staged, asOf);
    for await (const reading of readings) {
      const source = noted.note(reading);
      // Reading continues, so that all problems are reported.
      if (source !== null && !noted.isRefused()) await batches.add(source.record);
    }
    const warnings = noted.warnings();
    const { sources, chars } = await batches.close();
    const manifest: SourceManifest = { sources, warnings };
    const manifestRef = await staged.store(toArtifactText(manifest));
    await staged.handOver(runId);
    await options.pages?.handOver();
    return { manifestRef, count: sources.length, chars, warnings };
  } catch (error) {
    // The import error is more useful than a store error, which would recur.
    await staged.takeBack().catch(() => undefined);
    if (!isRetried) await options.pages?.takeBack().catch(() => undefined);
    throw error;
  }
}

interface Batches {
  add(record: ValidRecord): Promise<void>;
  close(): Promise<{ sources: SourceEntry[]; chars: number }>;
}

function createBatches(staged: StagedContent, asOf: string | undefined): Batches {
  const sources: SourceEntry[] = [];
  const signs: WorkFeatures[] = [];
  let batch: ValidRecord[] = [];
  let batchChars = 0;
  let chars = 0;
  const flush = async (): Promise<void> => {
    append(sources, await storeRecords(staged, batch, asOf));
    chars += batchChars;
    batch = [];
    batchChars = 0;
  };
  return {
    async add(record) {
      batch.push(record);
      signs.push(workFeatures(record.content));
      batchChars += record.content.length;
      if (batch.length >= BATCH_SOURCES || batchChars >= BATCH_CHARS) await flush();
    },
    async close() {
      if (batch.length > 0) await flush();
      return { sources: assignWorks(sources, signs), chars };
    },
  };
}

function assignWorks(sources: readonly SourceEntry[], signs: readonly WorkFeatures[]): SourceEntry[] {
  const works = findWorks(
    sources.flatMap((source, at) => {
      const own = signs[at];
      return own === undefined ? [] : [{ ...source, signs: own }];
    }),
  );
  return sources.map((source) => {
    const work = works.get(source.id);
    return work === undefined ? source : { ...source, work };
  });
}

export async function storeRecords(
  staged: Pick<StagedContent, 'storeBatch'>,
  records: readonly ValidRecord[],
  asOf: string | undefined,
): Promise<SourceEntry[]> {
  const summarised = records.filter((record) => record.summary !== undefined);
  const refs = await staged.storeBatch([
    ...records.map((record) => record.content),
    ...summarised.map((record) => record.summary ?? ''),
  ]);
  const summaryRefs = new Map(summarised.map((record, index) => [record.id, refs[records.length + index]]));
  return records.map(({ content: text, summary, url, accessedAt = asOf, ...described }, index) => {
    const contentRef = refs[index];
    if (contentRef === undefined)
      throw new Error(`the content store gave no reference for source ${described.id}`);
    return {
      ...described,
      ...(accessedAt === undefined ? {} : { accessedAt }),
      url: url ?? null,
      ...(summary === text.trim() ? { summaryOnly: true as const } : {}),
      contentRef,
      contentChars: text.length,
      summaryRef: summaryRefs.get(described.id) ?? null,
    };
  });
}

export type ImportStore = Pick<ContentStore, 'store' | 'storeBatch' | 'hold' | 'clearRun'>;

interface StagedContent {
  store(text: string): Promise<ArtifactRef>;
  storeBatch(texts: readonly string[]): Promise<ArtifactRef[]>;
  handOver(runId: string): Promise<void>;
  /** Releases the staged content; earlier content of the run stays. */
  takeBack(): Promise<void>;
}

/** The import holds the content until hand-over. The next import of the same name cleans up after a crash. */
function stageContent(content: ImportStore, name?: string): StagedContent {
  // A hash, because a run id with a prefix may exceed the maximum length of an id.
  const holder = `import-${name === undefined ? randomUUID() : createHash('sha256').update(name).digest('hex')}`;
  const refs = new Set<ArtifactRef>();
  const storeBatch = async (texts: readonly string[]): Promise<ArtifactRef[]> => {
    const stored = await content.storeBatch(holder, texts);
    for (const ref of stored) refs.add(ref);
    return stored;
  };
  return {
    storeBatch,
    async store(text) {
      const ref = await content.store(holder, text);
      refs.add(ref);
      return ref;
    },
    async handOver(runId) {
      const missing = await content.hold(runId, [...refs]);
      if (missing.length > 0) throw new Error(`the content store has lost ${missing.length} of the sources`);
      await content.clearRun(holder);
    },
    async takeBack() {
      await content.clearRun(holder);
    },
  };
}

interface WorkFeatures {
  /** First heading of level 1. */
  heading: string | null;
  /** Citation numbers in order of first use; empty if the text has a reference list. */
  openMarks: number[];
  /** Highest number in the reference list; 0 without one. */
  listed: number;
  /** Hash of the reference list; null below `LEAST_REFERENCES`. */
  references: string | null;
}

export interface PartOfWork extends Pick<
  SourceEntry,
  'id' | 'url' | 'title' | 'file' | 'author' | 'site' | 'sha256'
> {
  signs: WorkFeatures;
}

/** Unrelated texts may share lists of one or two references. */
const MIN_REFERENCES = 3;
const MAX_HEADING_CHARS = 500;
const LIST_ENTRY = /^[ \t]*(?:[-*][ \t]+)?\[(\d{1,3})\]:?[ \t]*(\S.*)$/gm;
const CITATION_MARK = /\[(\d{1,3})(?:[ \t]*[,;–-][ \t]*\d{1,3})*\](?![(:])/g;

export function workFeatures(content: string): WorkFeatures {
  const listed = [...content.matchAll(LIST_ENTRY)];
  const references = listed.map(([, n = '', text = '']) => `${n} ${text.trim()}`);
  const marks = [...content.matchAll(CITATION_MARK)].map(([, n]) => Number(n));
  return {
    heading: findHeading(content),
    openMarks: listed.length > 0 ? [] : [...new Set(marks)],
    listed: maxOf([0, ...listed.map(([, n]) => Number(n))]),
    references: listed.length < MIN_REFERENCES ? null : hashOf(references.join('\n')),
  };
}

function findHeading(content: string): string | null {
  const heading = stripUnsafe(/^#[ \t]+(\S.*)$/m.exec(content)?.[1] ?? '').replace(/[ \t#]+$/, '');
  return heading === '' ? null : heading.slice(0, MAX_HEADING_CHARS);
}

/**
 * Groups by address without fragment, by file, by reference list, or by numbered ids if chapter or citation
 * numbers continue.
 */
export function findWorks(sources: readonly PartOfWork[]): Map<string, Work> {
  const groups = [
    ...groupByKey(sources, ({ url }) => (url === null ? null : normaliseUrl(url))),
    ...groupByKey(sources, ({ file, sha256 = '' }) => (file === undefined ? null : `${file} ${sha256}`)),
    ...groupByKey(sources, ({ id, url }) => (url === null ? idStem(id) : null)).filter(areChapters),
    ...groupByKey(sources, ({ signs }) => signs.references),
  ];
  const works = new Map<string, Work>();
  for (const parts of groups) {
    const known = parts.flatMap(({ id }) => works.get(id) ?? []);
    const [work = { id: `work:${parts[0]?.id ?? ''}`, title: workTitle(parts) }] = known;
    const joined = new Set(known.map(({ id }) => id));
    for (const [id, other] of works) if (joined.has(other.id)) works.set(id, work);
    for (const { id } of parts) works.set(id, work);
  }
  return works;
}

function groupByKey(
  sources: readonly PartOfWork[],
  keyOf: (source: PartOfWork) => string | null,
): PartOfWork[][] {
  const groups = groupBy(sources, keyOf);
  groups.delete(null);
  return [...groups.values()].filter(({ length }) => length > 1);
}

const NUMBERED_ID = /^(.*\D)(\d{1,4})$/;

function idStem(id: string): string | null {
  return NUMBERED_ID.exec(id)?.[1] ?? null;
}

function idNumber(id: string): number {
  return Number(NUMBERED_ID.exec(id)?.[2] ?? 0);
}

/** Numbered ids are weak evidence: most texts must continue each other, with one author and site. */
function areChapters(parts: readonly PartOfWork[]): boolean {
  const named = [parts.map(({ author }) => author), parts.map(({ site }) => site)];
  if (named.some((names) => new Set(names).size > 1)) return false;
  const ordered = [...parts].sort((one, other) => idNumber(one.id) - idNumber(other.id));
  const chapters = ordered.filter(({ title }) => chapterNumber(title) !== null);
  const citing = ordered.filter(({ signs }) => signs.openMarks.length > 0);
  const lists = ordered.filter(({ signs }) => signs.listed > 0);
  const fitting = [
    ...(areIncreasing(chapters) ? chapters : []),
    ...(citing.length > 1 && numbersContinue(citing, lists) ? [...citing, ...lists] : []),
  ];
  return 2 * new Set(fitting).size > parts.length;
}

/** Chapter number of titles such as `2. Methods` and `IV. Outlook`. */
function chapterNumber(title: string): number | null {
  const written = /^(?:(\d{1,2})|([IVX]{1,5}))[.)][ \t]/.exec(title);
  if (written === null) return null;
  return written[1] === undefined ? romanValue(written[2] ?? '') : Number(written[1]);
}

const ROMAN: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };

function romanValue(numeral: string): number {
  const values = Array.from(numeral, (letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

function areIncreasing(chapters: readonly PartOfWork[]): boolean {
  const numbers = chapters.map(({ title }) => chapterNumber(title) ?? 0);
  return numbers.length > 1 && numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
}

/** New citation numbers of each part exceed those before, as in one document. */
function numbersContinue(citing: readonly PartOfWork[], lists: readonly PartOfWork[]): boolean {
  const known = new Set<number>();
  let most = 0;
  for (const { signs } of citing) {
    const fresh = signs.openMarks.filter((mark) => !known.has(mark));
    if (fresh.some((mark) => mark < most)) return false;
    for (const mark of fresh) known.add(mark);
    most = maxOf([most, ...fresh]);
  }
  const [list, ...others] = lists;
  const isListed = list !== undefined && others.length === 0 && list.signs.listed >= most;
  return isListed || citing.some(({ signs: { openMarks } }, at) => at > 0 && (openMarks[0] ?? 1) > 1);
}

/** The shared title or first heading, else the common file, address or id. */
function workTitle(parts: readonly PartOfWork[]): string {
  const heading = parts.find(({ signs }) => signs.heading !== null)?.signs.heading;
  const [first] = parts;
  if (first === undefined) return '';
  if (parts.every(({ title }) => title === first.title)) return first.title;
  return (
    heading ??
    first.file ??
    first.url?.replace(/#.*$/, '') ??
    idStem(first.id)?.replace(/[-_.]+$/, '') ??
    first.title
  );
}

export async function readManifest(
  textOf: (ref: ArtifactRef) => Promise<string | null>,
  manifestRef: ArtifactRef,
): Promise<SourceEntry[] | null> {
  const text = await textOf(manifestRef);
  return text === null ? null : SourceManifest.parse(JSON.parse(text)).sources;
}
