import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Something is wrong with how a suite was called, or with a file that it was given; said in one sentence, with exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What a schema expects, in the words of whoever writes the file. */
const KINDS: Record<string, string> = { string: 'text', array: 'list', object: 'JSON object' };

/** The records of a file with one JSON object a line, each as the schema has it. */
export function readRecords<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema>[] {
  return linesOf(file).flatMap((line, at) => {
    if (line.trim() === '') return [];
    const place = `${file} line ${at + 1}`;
    const record = parsed(line, place);
    const { data, error } = schema.safeParse(record);
    const issue = error?.issues[0];
    // A record that passes is what the schema makes of it.
    if (issue === undefined) return [data as z.infer<Schema>];
    const found = within(record, issue.path);
    const key = issue.path.join('.');
    if (found === undefined) throw new UsageError(`${place} has no "${key}".`);
    const kind = issue.code === 'invalid_type' ? (KINDS[issue.expected] ?? issue.expected) : 'such value';
    throw new UsageError(`${place}: "${key}" is no ${kind}.`);
  });
}

/** What stands in a value under keys, one within the other. */
export function within(value: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce(
    (part: unknown, key) => (part as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}

/** The text of a file that was named. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}.`);
  }
}

function linesOf(file: string): string[] {
  return textOf(file).split('\n');
}

function parsed(line: string, place: string): unknown {
  try {
    // Python writes what is no number as a bare NaN.
    const record: unknown = JSON.parse(line.replace(/(?<=": )NaN(?=[,}])/g, 'null'));
    if (typeof record === 'object' && record !== null) return record;
  } catch {
    // said below
  }
  throw new UsageError(`${place} is no JSON object.`);
}
