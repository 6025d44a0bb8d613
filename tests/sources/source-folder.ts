import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readSources } from '../../src/sources/read-sources';
import type { SourceProblem, SourceReading } from '../../src/sources/source-problems';

export type ReadRecord = (SourceReading & { ok: true })['record'];

export interface SourceFolder {
  path: string;
  write(name: string, content: string | Uint8Array): Promise<string>;
  dispose(): Promise<void>;
}

export async function sourceFolder(): Promise<SourceFolder> {
  const path = await mkdtemp(join(tmpdir(), 'colligate-sources-'));
  return {
    path,
    async write(name, content) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    dispose: () => rm(path, { recursive: true, force: true }),
  };
}

export function useSourceFolder(): SourceFolder {
  const folder = {} as SourceFolder; // filled before each test
  beforeEach(async () => void Object.assign(folder, await sourceFolder()));
  afterEach(() => folder.dispose());
  return folder;
}

/** Problems as `FILE:LINE: MESSAGE`, the files as they are named within the folder. */
export function toldProblems(problems: readonly SourceProblem[], folder: SourceFolder): string[] {
  return problems.map(({ file, line, message }) =>
    [file.replace(`${folder.path}/`, ''), ...(line === undefined ? [] : [line]), ` ${message}`].join(':'),
  );
}

export interface ReadResult {
  records: ReadRecord[];
  problems: SourceProblem[];
  skipped: string[];
}

export async function readAll(...paths: string[]): Promise<ReadResult> {
  const result: ReadResult = { records: [], problems: [], skipped: [] };
  for await (const reading of readSources(paths, { onSkipped: (file) => result.skipped.push(file) })) {
    if (reading.ok) result.records.push(reading.record);
    else result.problems.push(reading.problem);
  }
  return result;
}
