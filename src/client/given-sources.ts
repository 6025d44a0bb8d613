import { sep } from 'node:path';
import type { SourceEntry } from '../contracts/source/source';
import { chainedReadings } from '../sources/chained-readings';
import { importSources, type ImportedSources } from '../sources/import-sources';
import { readListedSources } from '../sources/listed-sources';
import type { PageReader } from '../sources/pages/page-reader';
import { readRecords } from '../sources/read-records';
import { readSources } from '../sources/read-sources';
import type { SourceReading } from '../sources/source-reading';
import type { ImportStore } from '../sources/staged-content';
import type { ContentStore } from '../stores/content-store';
import type { ImportRecords } from './described-run';
import type { ReadableSources } from './requested-sources';

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
