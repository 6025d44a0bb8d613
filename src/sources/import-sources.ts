import { createHash, randomUUID } from 'node:crypto';
import type { Warning } from '../contracts/run';
import { type ArtifactRef, type SourceEntry, SourceManifest, type Work } from '../contracts/source';
import { normaliseUrl } from '../evidence/source-records';
import { append, greatest, groupedBy } from '../lib/iterables';
import { toArtifactText } from '../lib/json';
import { stripUnsafe } from '../lib/untrusted-text';
import type { ContentStore } from '../stores/content-store';
import type { ImportedPages } from './pages';
import { hashOf } from './record';
import type { SourceReading } from './source-problems';
import { noteSources } from './source-readings';

/** Sources are stored with one flush for so many of them, or so many UTF-16 units. */
const BATCH_SOURCES = 1_024;
const BATCH_CHARS = 4_000_000;

interface ImportOptions {
  runId: string;
  /** The sources one at a time, and what cannot be used; they are read once. */
  readings: AsyncIterable<SourceReading>;
  content: ImportStore;
  pages?: Pick<ImportedPages, 'handOver' | 'takeBack'> | undefined;
  /** Goes on without bad records, with a warning for each. */
  skipInvalid: boolean;
  /** `accessedAt` of records that have none; an ISO 8601 time. */
  asOf?: string;
  /** True where the same import for the run is made again if this process dies in it, so that nothing stays of this one. */
  isRetried?: boolean;
}

export interface ImportedSources {
  manifestRef: ArtifactRef;
  count: number;
  chars: number;
  warnings: Warning[];
}

type ReadRecord = (SourceReading & { ok: true })['record'];

/**
 * Reads all sources, checks them, and stores contents, summaries and the manifest, for the run to hold. Throws
 * `InvalidSourcesError` where a record is bad and may not be skipped, or where no source is left; nothing is kept then.
 */
export async function importSources(options: ImportOptions): Promise<ImportedSources> {
  const { runId, readings, skipInvalid, asOf, isRetried = false } = options;
  const staged = stageContent(options.content, isRetried ? runId : undefined);
  try {
    const noted = noteSources({ skipInvalid });
    const batches = createBatches(staged, asOf);
    for await (const reading of readings) {
      const source = noted.note(reading);
      // The rest is read all the same: all problems are told at once.
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
    // What is told is why the import failed; a store that cannot be written is found by the next import too.
    await staged.takeBack().catch(() => undefined);
    if (!isRetried) await options.pages?.takeBack().catch(() => undefined);
    throw error;
  }
}

interface Batches {
  add(record: ReadRecord): Promise<void>;
  close(): Promise<{ sources: SourceEntry[]; chars: number }>;
}

function createBatches(staged: StagedContent, asOf: string | undefined): Batches {
  const sources: SourceEntry[] = [];
  const signs: WorkSigns[] = [];
  let batch: ReadRecord[] = [];
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
      signs.push(workSigns(record.content));
      batchChars += record.content.length;
      if (batch.length >= BATCH_SOURCES || batchChars >= BATCH_CHARS) await flush();
    },
    async close() {
      if (batch.length > 0) await flush();
      return { sources: withWorks(sources, signs), chars };
    },
  };
}

function withWorks(sources: readonly SourceEntry[], signs: readonly WorkSigns[]): SourceEntry[] {
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
  records: readonly ReadRecord[],
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

/** Where sources are stored while it is not known yet whether all of them are in order. */
interface StagedContent {
  store(text: string): Promise<ArtifactRef>;
  storeBatch(texts: readonly string[]): Promise<ArtifactRef[]>;
  handOver(runId: string): Promise<void>;
  /** Lets go of all of it; what the run held before is untouched. */
  takeBack(): Promise<void>;
}

/**
 * What is stored is held by nobody but the import itself, until the import hands it over or takes it back. What a process that was
 * killed has staged is let go of with what is staged under the same name later; without a name nobody comes back for it.
 */
function stageContent(content: ImportStore, name?: string): StagedContent {
  // As long as any other, whatever the name is.
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

/** What a text shows of the document that it may be a part of. */
interface WorkSigns {
  /** Its first heading of the first level. */
  heading: string | null;
  /** Its citations by number, in the order of their first use; empty where it has a list of references. */
  openMarks: number[];
  /** The highest number in its list of references; 0 where it has none. */
  listed: number;
  /** A hash of that list; null where it has fewer than `LEAST_REFERENCES`. */
  references: string | null;
}

/** What works are found by. */
export interface PartOfWork extends Pick<
  SourceEntry,
  'id' | 'url' | 'title' | 'file' | 'author' | 'site' | 'sha256'
> {
  signs: WorkSigns;
}

/** Independent texts may share one or two references as a whole list. */
const LEAST_REFERENCES = 3;
/** As many as a title may have. */
const MAX_HEADING_CHARS = 500;
const LISTED = /^[ \t]*(?:[-*][ \t]+)?\[(\d{1,3})\]:?[ \t]*(\S.*)$/gm;
const MARK = /\[(\d{1,3})(?:[ \t]*[,;–-][ \t]*\d{1,3})*\](?![(:])/g;

export function workSigns(content: string): WorkSigns {
  const listed = [...content.matchAll(LISTED)];
  const references = listed.map(([, n = '', text = '']) => `${n} ${text.trim()}`);
  const marks = [...content.matchAll(MARK)].map(([, n]) => Number(n));
  return {
    heading: headingOf(content),
    openMarks: listed.length > 0 ? [] : [...new Set(marks)],
    listed: greatest([0, ...listed.map(([, n]) => Number(n))]),
    references: listed.length < LEAST_REFERENCES ? null : hashOf(references.join('\n')),
  };
}

function headingOf(content: string): string | null {
  const heading = stripUnsafe(/^#[ \t]+(\S.*)$/m.exec(content)?.[1] ?? '').replace(/[ \t#]+$/, '');
  return heading === '' ? null : heading.slice(0, MAX_HEADING_CHARS);
}

/**
 * Sources that are parts of one document, by their ids: of one address apart from the fragment, of one file, with one list of
 * references, or with ids such as `report-7-1`, `report-7-2` whose chapters or citation numbers run on. Others have no entry.
 */
export function findWorks(sources: readonly PartOfWork[]): Map<string, Work> {
  const groups = [
    ...together(sources, ({ url }) => (url === null ? null : normaliseUrl(url))),
    ...together(sources, ({ file, sha256 = '' }) => (file === undefined ? null : `${file} ${sha256}`)),
    ...together(sources, ({ id, url }) => (url === null ? stemOf(id) : null)).filter(areChapters),
    ...together(sources, ({ signs }) => signs.references),
  ];
  const works = new Map<string, Work>();
  for (const parts of groups) {
    const known = parts.flatMap(({ id }) => works.get(id) ?? []);
    const [work = { id: `work:${parts[0]?.id ?? ''}`, title: titleOf(parts) }] = known;
    const joined = new Set(known.map(({ id }) => id));
    for (const [id, other] of works) if (joined.has(other.id)) works.set(id, work);
    for (const { id } of parts) works.set(id, work);
  }
  return works;
}

function together(
  sources: readonly PartOfWork[],
  keyOf: (source: PartOfWork) => string | null,
): PartOfWork[][] {
  const groups = groupedBy(sources, keyOf);
  groups.delete(null);
  return [...groups.values()].filter(({ length }) => length > 1);
}

const NUMBERED_ID = /^(.*\D)(\d{1,4})$/;

function stemOf(id: string): string | null {
  return NUMBERED_ID.exec(id)?.[1] ?? null;
}

function placeOf(id: string): number {
  return Number(NUMBERED_ID.exec(id)?.[2] ?? 0);
}

/** Ids that differ in a number say little: most of the texts have to go on where others end, and none may name another author or site. */
function areChapters(parts: readonly PartOfWork[]): boolean {
  const named = [parts.map(({ author }) => author), parts.map(({ site }) => site)];
  if (named.some((names) => new Set(names).size > 1)) return false;
  const ordered = [...parts].sort((one, other) => placeOf(one.id) - placeOf(other.id));
  const chapters = ordered.filter(({ title }) => chapterOf(title) !== null);
  const citing = ordered.filter(({ signs }) => signs.openMarks.length > 0);
  const lists = ordered.filter(({ signs }) => signs.listed > 0);
  const fitting = [
    ...(rise(chapters) ? chapters : []),
    ...(citing.length > 1 && runOn(citing, lists) ? [...citing, ...lists] : []),
  ];
  return 2 * new Set(fitting).size > parts.length;
}

/** The number of a chapter in its title: `2. Methods`, `IV. Outlook`. */
function chapterOf(title: string): number | null {
  const written = /^(?:(\d{1,2})|([IVX]{1,5}))[.)][ \t]/.exec(title);
  if (written === null) return null;
  return written[1] === undefined ? ofRoman(written[2] ?? '') : Number(written[1]);
}

const ROMAN: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };

function ofRoman(numeral: string): number {
  const values = Array.from(numeral, (letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

function rise(chapters: readonly PartOfWork[]): boolean {
  const numbers = chapters.map(({ title }) => chapterOf(title) ?? 0);
  return numbers.length > 1 && numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
}

/**
 * A document numbers its citations as it first uses them: each part's new numbers lie above those of the parts before it. Some part
 * begins beyond 1, or one list has them all.
 */
function runOn(citing: readonly PartOfWork[], lists: readonly PartOfWork[]): boolean {
  const known = new Set<number>();
  let most = 0;
  for (const { signs } of citing) {
    const fresh = signs.openMarks.filter((mark) => !known.has(mark));
    if (fresh.some((mark) => mark < most)) return false;
    for (const mark of fresh) known.add(mark);
    most = greatest([most, ...fresh]);
  }
  const [list, ...others] = lists;
  const isListed = list !== undefined && others.length === 0 && list.signs.listed >= most;
  return isListed || citing.some(({ signs: { openMarks } }, at) => at > 0 && (openMarks[0] ?? 1) > 1);
}

/** The document's own title, where a part has it as a heading or all parts have it; else what its parts' ids or addresses share. */
function titleOf(parts: readonly PartOfWork[]): string {
  const heading = parts.find(({ signs }) => signs.heading !== null)?.signs.heading;
  const [first] = parts;
  if (first === undefined) return '';
  if (parts.every(({ title }) => title === first.title)) return first.title;
  return (
    heading ??
    first.file ??
    first.url?.replace(/#.*$/, '') ??
    stemOf(first.id)?.replace(/[-_.]+$/, '') ??
    first.title
  );
}

/** All sources of a manifest; null where it is not there. */
export async function readListedSources(
  textOf: (ref: ArtifactRef) => Promise<string | null>,
  manifestRef: ArtifactRef,
): Promise<SourceEntry[] | null> {
  const text = await textOf(manifestRef);
  return text === null ? null : SourceManifest.parse(JSON.parse(text)).sources;
}
