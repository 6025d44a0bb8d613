import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';

/** Real articles and questions, which do not ship with the project; `scripts/data-folder.mjs` looks in the same place. */
const FOLDER = resolve(__dirname, '../..', process.env['COLLIGATE_DATA'] ?? '../shared/data');

/** Where a file of the shared data is, or would be: `studies/sources.jsonl`. */
export function sharedFile(name: string): string {
  return resolve(FOLDER, name);
}

/** The records of a shared file with one JSON object a line; of its first `most` lines. */
export function sharedRecords<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  most = Infinity,
): z.infer<Schema>[] {
  return readFileSync(sharedFile(name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, most)
    .map((line) => schema.parse(JSON.parse(line)));
}

/** A group of tests that read the named files: skipped where one of them is missing, its body being called all the same. */
export function describeWithData(files: readonly string[], name: string, body: () => void): void {
  skippedWithout(files, () => describe(name, body));
}

/** A test that reads the named files: skipped where one of them is missing. */
export function itWithData(files: readonly string[], name: string, body: () => void | Promise<void>): void {
  skippedWithout(files, () => it(name, async () => body()));
}

/** The title of the group says why its tests are skipped, and the end of `npm test` too. */
function skippedWithout(files: readonly string[], declare: () => void): void {
  const missing = files.filter((file) => !existsSync(sharedFile(file)));
  if (missing.length === 0) declare();
  else describe.skip(`without ${missing.join(', ')} in ../shared/data`, declare);
}
