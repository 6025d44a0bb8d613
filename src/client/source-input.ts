import { resolve, sep } from 'node:path';
import type { ArtifactRef, SourceEntry } from '../contracts/source';
import type { FoundSources } from '../contracts/start';
import { citedAddress, isAddress, isSigned } from '../sources/fetch-address';
import type { Asker } from '../sources/formats/document-parser';
import {
  type ImportedSources,
  importSources,
  type ImportStore,
  readListedSources,
} from '../sources/import-sources';
import type { PageReader } from '../sources/pages';
import { findSources, namedPages, readSources } from '../sources/read-sources';
import type { SourceReading } from '../sources/source-problems';
import { chainedReadings, type GivenRecords, noteSources, readRecords } from '../sources/source-readings';
import type { SourceSize } from '../steps/report-estimate';
import type { ContentStore } from '../stores/content-store';
import { InvalidRequestError } from './client-errors';
import type { ImportRecords } from './run-records';

type ImportInto = Pick<ImportRecords, 'pages' | 'cwd'> & { content: ImportStore };

/** Stores what the client reads itself, and `besides`, for `holder` to hold. Rejects as `importSources` does. */
export async function importGiven(
  { content, pages, cwd }: ImportInto,
  holder: string,
  sources: ReadableSources | undefined,
  besides: readonly AsyncIterable<SourceReading>[] = [],
): Promise<ImportedSources> {
  const opened = pages?.open({ runId: holder, signal: sources?.asker?.signal });
  try {
    const given = sources === undefined ? [] : readingsOf(sources, { pages: opened, cwd });
    return await importSources({
      runId: holder,
      readings: chainedReadings([...given, ...besides]),
      content,
      pages: opened,
      skipInvalid: sources?.skipInvalid ?? false,
    });
  } finally {
    await opened?.close();
  }
}

export function readingsOf(
  sources: ReadableSources,
  options: { pages?: PageReader | undefined; cwd?: string | undefined },
): AsyncIterable<SourceReading>[] {
  const { asker } = sources;
  if ('parts' in sources) return sources.parts.flatMap((part) => readingsOf({ ...part, asker }, options));
  if ('records' in sources) return [readRecords(sources.records)];
  const readings = readSources(sources.paths, { ...options, asker });
  return [sources.within === undefined ? readings : toldFrom(sources.within, readings)];
}

/** Whether they are files, folders or addresses, all or some of them. */
export function readsPaths(sources: ReadableSources): boolean {
  return 'parts' in sources ? sources.parts.some((part) => 'paths' in part) : 'paths' in sources;
}

async function* toldFrom(
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

/** Those of a stored list; null where it is not there. */
export function storedSources(content: ContentStore, manifestRef: string): Promise<SourceEntry[] | null> {
  return readListedSources((ref) => content.retrieve(ref), manifestRef);
}

/**
 * Files and folders, by paths from the working directory, and addresses; `within` is a folder that is left out where places are
 * told, such as one that keeps what was uploaded. Or records, each of which is taken once.
 */
export type SourcesOfOneKind = { paths: readonly string[]; within?: string } | { records: GivenRecords };

/** Sources that the client reads now: of one kind, or of several, one behind the other. */
export type ReadableSources = (SourcesOfOneKind | { parts: readonly SourcesOfOneKind[] }) & {
  skipInvalid?: boolean;
  /** Who else they are read for, such as a client of the HTTP face; null, or absent, for this process itself. */
  asker?: Asker | null;
};

/** Where a run's sources come from: what the client reads now, or a manifest that was stored before, with how many sources it has. */
export type RequestedSources = ReadableSources | { manifestRef: ArtifactRef; count: number };

export const NOTHING_LOOKED_FOR = { sources: null, subtopics: null };

export function absolute(paths: readonly string[]): string[] {
  return paths.map((path) => (isAddress(path) ? path : resolve(path)));
}

/**
 * Files, folders and addresses as a schedule looks for them; files are looked for now, and no page is fetched. Throws
 * `InvalidSourcesError` as a run would be refused for them, and `InvalidRequestError` for what a schedule may not keep.
 */
export async function foundFiles({
  paths,
  skipInvalid = false,
}: {
  paths: readonly string[];
  skipInvalid?: boolean;
}): Promise<FoundSources & { settings: { paths: string[] } }> {
  const signed = paths.filter((path) => isAddress(path) && isSigned(path));
  if (signed.length > 0)
    throw new InvalidRequestError(
      signed.map(
        (path) =>
          `${citedAddress(path, path)} has a key in it, which the schedule would keep; name a file of links that has it`,
      ),
    );
  const sources = { finder: 'files', settings: { paths: absolute(paths) }, skipInvalid };
  const noted = noteSources({ skipInvalid });
  for await (const reading of findSources(sources, namedPages)) noted.note(reading);
  noted.warnings();
  return sources;
}

/** The sizes of the sources of a stored list; null where it is not there. */
export async function sourceSizes(
  content: Pick<ContentStore, 'retrieve'>,
  manifestRef: ArtifactRef,
): Promise<SourceSize[] | null> {
  const entries = await readListedSources((ref) => content.retrieve(ref), manifestRef);
  return entries?.map(sizeOf) ?? null;
}

function sizeOf({
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
