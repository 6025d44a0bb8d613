import { fileBytes, TOO_LARGE } from './file-bytes';
import { jsonErrorLine, jsonErrorText } from './json-error';
import { parseRecord } from '../parse-record';
import type { RecordReading } from '../source-reading';
import { decodeUtf8 } from './utf8-text';

/** An object with none of these is something else than sources: a package's or a tool's settings. */
const TELLING_KEYS = ['content', 'sources', 'url', 'title'];

/**
 * The records of a `.json` file: a list of records, `{ "sources": […] }`, or one record. A file that was met in a
 * folder and holds something else altogether is `not-sources`.
 */
export async function* readJson(
  file: string,
  explicit: boolean,
): AsyncGenerator<RecordReading | 'not-sources', void, undefined> {
  const bytes = await fileBytes(file);
  if (bytes === null)
    return yield { ok: false, message: `${TOO_LARGE}; give large lists as .jsonl, one record a line` };
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return yield decoded;
  if (decoded.text.trim() === '') return yield { ok: false, message: 'the file is empty' };
  let value: unknown;
  try {
    value = JSON.parse(decoded.text);
  } catch (error) {
    const line = jsonErrorLine(error, decoded.text);
    return yield { ok: false, message: jsonErrorText(error), ...(line === undefined ? {} : { line }) };
  }
  if (!explicit && isSomethingElse(value)) return yield 'not-sources';
  const list = listOf(value);
  if (list === null) return yield parseRecord(value);
  if (list.length === 0) yield { ok: false, message: 'the list of sources is empty' };
  for (const [index, item] of list.entries()) {
    const reading = parseRecord(item);
    yield reading.ok ? reading : { ok: false, message: `record ${index + 1}: ${reading.message}` };
  }
}

function listOf(value: unknown): unknown[] | null {
  const list = typeof value === 'object' && value !== null && 'sources' in value ? value.sources : value;
  return Array.isArray(list) ? list : null;
}

function isSomethingElse(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !TELLING_KEYS.some((key) => key in value)
  );
}
