import type { ArtifactRef } from '../contracts/run/artifact';
import type { Warning } from '../contracts/run/run';
import type { SourceEntry, SourceManifest } from '../contracts/source/source';
import { toArtifactText } from '../core/run/json-artifact';
import type { ContentStore } from '../stores/content-store';
import { InvalidSourcesError, PROBLEMS_IN_FULL, problemLine } from './invalid-sources-error';
import { readSources } from './read-sources';
import { createSourceList, type ListedSources } from './source-list';
import type { SourceProblem, SourceReading } from './source-reading';
import { createSourceWarnings } from './source-warnings';

/** Sources are stored with one flush for so many of them, or so many UTF-16 units. */
const BATCH_SOURCES = 64;
const BATCH_CHARS = 4_000_000;

/** A warning each for so many skipped records; the rest are counted in one more. */
const MAX_SKIP_WARNINGS = 1_000;

const NAME_SOME = 'Name files or folders of .jsonl, .json, .md or .txt with --sources.';
const CORRECT_OR_SKIP = 'Correct them, or go on without them by --skip-invalid.';
const NOTHING_LEFT = 'No usable source is left.';

interface ImportOptions {
  runId: string;
  paths: readonly string[];
  content: Pick<ContentStore, 'store' | 'storeBatch' | 'clearRun'>;
  /** Goes on without bad records, with a warning for each. */
  skipInvalid: boolean;
  /** `accessedAt` of records that have none; an ISO 8601 time. */
  asOf?: string;
}

export interface ImportedSources {
  manifestRef: ArtifactRef;
  count: number;
  /** How many characters the contents have together. */
  chars: number;
  warnings: Warning[];
  /** Files in folders that are no sources by their type. */
  skippedFiles: number;
}

type ReadRecord = (SourceReading & { ok: true })['record'];

/**
 * Reads all sources once to check them, and only when they are in order a second time to store contents, summaries
 * and the manifest. Throws `InvalidSourcesError` where a record is bad and may not be skipped, or where no source
 * is left.
 */
export async function importSources(options: ImportOptions): Promise<ImportedSources> {
  const { warnings, skippedFiles } = await check(options);
  const { listed, count, chars } = await store(options);
  const manifest: SourceManifest = { ...listed, warnings };
  const manifestRef = await options.content.store(options.runId, toArtifactText(manifest));
  return { manifestRef, count, chars, warnings, skippedFiles };
}

async function check(options: ImportOptions): Promise<{ warnings: Warning[]; skippedFiles: number }> {
  const ids = new Set<string>();
  const kept: SourceProblem[] = [];
  let problems = 0;
  let repeats = 0;
  let skippedFiles = 0;
  const odd = createSourceWarnings();
  for await (const reading of readSources(options.paths, { onSkipped: () => (skippedFiles += 1) })) {
    if (reading.ok) {
      if (ids.has(reading.record.id)) repeats += 1;
      else odd.note(reading);
      ids.add(reading.record.id);
    } else {
      problems += 1;
      if (kept.length < (options.skipInvalid ? MAX_SKIP_WARNINGS : PROBLEMS_IN_FULL))
        kept.push(reading.problem);
    }
  }
  if (ids.size === 0)
    throw new InvalidSourcesError(kept, problems, problems === 0 ? NAME_SOME : NOTHING_LEFT);
  if (problems > 0 && !options.skipInvalid) throw new InvalidSourcesError(kept, problems, CORRECT_OR_SKIP);
  const warnings: Warning[] = kept.map((problem) => ({
    code: 'source-skipped',
    message: problemLine(problem),
  }));
  if (problems > kept.length) {
    warnings.push({ code: 'source-skipped', message: `${problems - kept.length} more records were skipped` });
  }
  if (repeats > 0) {
    const records = repeats === 1 ? 'record repeats' : 'records repeat';
    warnings.push({
      code: 'source-repeated',
      message: `${repeats} ${records} the id and content of another and counts once`,
    });
  }
  return { warnings: [...warnings, ...odd.warnings()], skippedFiles };
}

async function store({
  runId,
  paths,
  content,
  skipInvalid,
  asOf,
}: ImportOptions): Promise<{ listed: ListedSources; count: number; chars: number }> {
  const list = createSourceList(runId, content);
  const ids = new Set<string>();
  let batch: ReadRecord[] = [];
  let batchChars = 0;
  let chars = 0;
  const flush = async (): Promise<void> => {
    await list.add(await storeRecords(runId, content, batch, asOf));
    batch = [];
    batchChars = 0;
  };
  for await (const reading of readSources(paths)) {
    if (!reading.ok) {
      if (skipInvalid) continue;
      // The files have changed since they were checked.
      await content.clearRun(runId);
      throw new InvalidSourcesError([reading.problem], 1, CORRECT_OR_SKIP);
    }
    if (ids.has(reading.record.id)) continue;
    ids.add(reading.record.id);
    batch.push(reading.record);
    batchChars += reading.record.content.length;
    chars += reading.record.content.length;
    if (batch.length >= BATCH_SOURCES || batchChars >= BATCH_CHARS) await flush();
  }
  if (batch.length > 0) await flush();
  return { ...(await list.close()), chars };
}

async function storeRecords(
  runId: string,
  content: ImportOptions['content'],
  records: readonly ReadRecord[],
  asOf: string | undefined,
): Promise<SourceEntry[]> {
  const summarised = records.filter((record) => record.summary !== undefined);
  const refs = await content.storeBatch(runId, [
    ...records.map((record) => record.content),
    ...summarised.map((record) => record.summary ?? ''),
  ]);
  const summaryRefs = new Map(summarised.map((record, index) => [record.id, refs[records.length + index]]));
  return records.map(({ content: text, summary: _summary, url, accessedAt = asOf, ...described }, index) => {
    const contentRef = refs[index];
    if (contentRef === undefined)
      throw new Error(`the content store gave no reference for source ${described.id}`);
    return {
      ...described,
      ...(accessedAt === undefined ? {} : { accessedAt }),
      url: url ?? null,
      contentRef,
      contentChars: text.length,
      summaryRef: summaryRefs.get(described.id) ?? null,
    };
  });
}
