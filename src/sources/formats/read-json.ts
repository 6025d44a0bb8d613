import { givenJson } from '../../core/values/given-json';
import { givenTextOf } from '../../platform/given-text';
import { parseRecord } from '../parse-record';
import type { RecordReading } from '../source-reading';

/** An object with none of these is something else than sources: a package's or a tool's settings. */
const TELLING_KEYS = ['content', 'sources', 'url', 'title'];

/**
 * The records of a `.json` file: a list of records, `{ "sources": […] }`, or one record. A file that was met in a
 * folder and holds something else altogether is `not-sources`.
 */
export function* readJson(
  bytes: Buffer,
  explicit: boolean,
): Generator<RecordReading | 'not-sources', void, undefined> {
  const given = givenTextOf(bytes);
  if (!given.ok) return yield given;
  const json = givenJson(given.text);
  if (!json.ok) return yield json;
  const { value } = json;
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
