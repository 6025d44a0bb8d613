import type { ArtifactRef } from '../contracts/run/artifact';
import type { Warning } from '../contracts/run/run';
import type { SourceEntry, SourceManifest } from '../contracts/source/source';
import { append } from '../core/values/append';
import { toArtifactText } from '../core/run/json-artifact';
import type { ImportedPages } from './pages/page-reader';
import { noteSources } from './noted-sources';
import type { SourceReading } from './source-reading';
import { stageContent, type ImportStore, type StagedContent } from './staged-content';
import { findWorks, workSigns, type WorkSigns } from './works';

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
