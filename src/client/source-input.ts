import { resolve, sep } from 'node:path';
import type { ArtifactRef, SourceEntry } from '../contracts/source';
import type { ScheduledSources, SkipInvalid } from '../contracts/start';
import { citedAddress, isAddress, isSigned } from '../sources/fetch-address';
import type { ParseClient } from '../sources/formats/document-parser';
import {
  type ImportedSources,
  importSources,
  type ImportStore,
  readManifest,
} from '../sources/import-sources';
import type { PageReader } from '../sources/pages';
import { findScheduledSources, readSources, validatedPages } from '../sources/read-sources';
import type { SourceReading } from '../sources/source-problems';
import {
  chainReadings,
  createSourceCollector,
  type InputRecords,
  readRecords,
} from '../sources/source-readings';
import { readZotero } from '../sources/zotero';
import type { ZoteroSource } from '../sources/zotero-api';
import type { SourceSize } from '../steps/report-estimate';
import type { ContentStore } from '../stores/content-store';
import { InvalidRequestError } from './client-errors';
import type { ImportRecords } from './run-records';

type ImportInto = Pick<ImportRecords, 'pages' | 'cwd'> & { content: ImportStore };

/** Stores the sources that the client reads, and `besides`, with `holder` as their holder. Rejects with `InvalidSourcesError`. */
export async function importRequestSources(
  { content, pages, cwd }: ImportInto,
  holder: string,
  sources: ReadableSources | undefined,
  besides: readonly AsyncIterable<SourceReading>[] = [],
): Promise<ImportedSources> {
  const opened = pages?.open({ runId: holder, signal: sources?.asker?.signal });
  try {
    const given = sources === undefined ? [] : readRequestSources(sources, { pages: opened, cwd });
    return await importSources({
      runId: holder,
      readings: chainReadings([...given, ...besides]),
      content,
      pages: opened,
      skipInvalid: sources?.skipInvalid ?? false,
    });
  } finally {
    await opened?.close();
  }
}

export function readRequestSources(
  sources: ReadableSources,
  options: { pages?: PageReader | undefined; cwd?: string | undefined },
): AsyncIterable<SourceReading>[] {
  const { asker } = sources;
  if ('parts' in sources)
    return sources.parts.flatMap((part) => readRequestSources({ ...part, asker }, options));
  if ('records' in sources) return [readRecords(sources.records)];
  if ('zotero' in sources) return [readZotero(sources.zotero, { pages: options.pages, asker })];
  const readings = readSources(sources.paths, { ...options, asker });
  return [sources.within === undefined ? readings : withRelativeFiles(sources.within, readings)];
}

/** True if any of the sources are files, folders, URLs or collections of Zotero. */
export function hasPaths(sources: ReadableSources): boolean {
  const parts = 'parts' in sources ? sources.parts : [sources];
  return parts.some((part) => !('records' in part));
}

async function* withRelativeFiles(
  folder: string,
  readings: AsyncIterable<SourceReading>,
): AsyncGenerator<SourceReading> {
  const told = (file: string): string =>
    file.startsWith(`${folder}${sep}`) ? file.slice(folder.length + 1) : file;
  for await (const reading of readings)
    yield reading.ok
      ? { ...reading, file: told(reading.file) }
      : { ...reading, problem: { ...reading.problem, file: told(reading.problem.file) } };
}

/** Null if the list is not stored. */
export function readStoredSources(content: ContentStore, manifestRef: string): Promise<SourceEntry[] | null> {
  return readManifest((ref) => content.retrieve(ref), manifestRef);
}

/**
 * Paths of files and folders, relative to the working directory, and URLs; `within` is a folder that messages omit, such as one
 * for uploads. Or records, each of which is read once. Or a collection of Zotero on the client's machine.
 */
export type SourcesOfOneKind =
  { paths: readonly string[]; within?: string } | { records: InputRecords } | { zotero: ZoteroSource };

/** Sources that the client reads now, of one kind or of several in sequence. */
export type ReadableSources = (SourcesOfOneKind | { parts: readonly SourcesOfOneKind[] }) & {
  /** Default: files that are found in folders are skipped, with a warning each. `true` skips all, and `never` none. */
  skipInvalid?: SkipInvalid;
  /** The client on whose behalf they are read, such as one of the HTTP server; null or absent for this process itself. */
  asker?: ParseClient | null;
};

/** Sources that the client reads now, or a stored manifest with its number of sources. */
export type RequestedSources = ReadableSources | { manifestRef: ArtifactRef; count: number };

export const NO_LOOKUP = { sources: null, subtopics: null };

export function absolutePaths(paths: readonly string[]): string[] {
  return paths.map((path) => (isAddress(path) ? path : resolve(path)));
}

/**
 * Looks for the files of a schedule now; fetches no page. Throws `InvalidSourcesError` like a run, and `InvalidRequestError` for
 * URLs with a key, which a schedule must not store.
 */
export async function lookUpFiles({
  paths,
  skipInvalid = false,
}: {
  paths: readonly string[];
  skipInvalid?: SkipInvalid;
}): Promise<ScheduledSources & { settings: { paths: string[] } }> {
  const signed = paths.filter((path) => isAddress(path) && isSigned(path));
  if (signed.length > 0)
    throw new InvalidRequestError(
      signed.map(
        (path) =>
          `${citedAddress(path, path)} has a key in it, which the schedule would keep; name a file of links that has it`,
      ),
    );
  const sources = { finder: 'files', settings: { paths: absolutePaths(paths) }, skipInvalid };
  const noted = createSourceCollector({ skipInvalid });
  for await (const reading of findScheduledSources(sources, validatedPages)) noted.note(reading);
  noted.warnings();
  return sources;
}

/** Null if the list is not stored. */
export async function sourceSizes(
  content: Pick<ContentStore, 'retrieve'>,
  manifestRef: ArtifactRef,
): Promise<SourceSize[] | null> {
  const entries = await readManifest((ref) => content.retrieve(ref), manifestRef);
  return entries?.map(sourceSize) ?? null;
}

function sourceSize({
  id,
  contentChars,
  title,
  author = '',
  site = '',
  publishedAt = '',
  summaryRef,
}: SourceEntry): SourceSize {
  return {
    id,
    contentChars,
    nameChars: title.length + author.length + site.length + publishedAt.length,
    hasSummary: summaryRef !== null,
  };
}
