import { givenJson } from '../../core/values/given-json';
import { isRecord } from '../../core/values/is-record';
import words from './data/subtopic-keys.json';
import { firstUnder, namedFields } from './named-fields';
import { parseSubtopic } from './parse-subtopic';
import type { SubtopicReading } from './subtopic-reading';

/**
 * The subtopics of a JSON text: one, a list, or a list under `subtopics`, where sources beside that list are those of every subtopic
 * that names none. Null for a text that holds something else altogether.
 */
export function readSubtopicJson(text: string): SubtopicReading[] | null {
  const json = givenJson(text);
  if (!json.ok) return [json];
  const { value } = json;
  if (!isRecord(value)) return Array.isArray(value) ? readList(value) : [parseSubtopic(value)];
  const list = firstUnder(value, words.lists);
  if (Array.isArray(list)) return readList(list.map((item) => withShared(item, value)));
  const { fields } = namedFields(value, words.subtopic);
  return Object.keys(fields).length === 0 ? null : [parseSubtopic(value)];
}

/** The subtopics of a text of JSON Lines, one a line. */
export function readSubtopicLines(text: string): SubtopicReading[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const json = givenJson(line);
    return [{ ...(json.ok ? parseSubtopic(json.value) : json), line: at + 1 }];
  });
}

function readList(list: readonly unknown[]): SubtopicReading[] {
  if (list.length === 0) return [{ ok: false, message: 'the list of subtopics is empty' }];
  return list.map((item, at) => {
    const reading = parseSubtopic(item);
    return reading.ok
      ? { ...reading, remarks: reading.remarks.map((remark) => `subtopic ${at + 1}: ${remark}`) }
      : { ...reading, message: `subtopic ${at + 1}: ${reading.message}` };
  });
}

function withShared(item: unknown, { sources }: Readonly<Record<string, unknown>>): unknown {
  if (sources === undefined || !isRecord(item)) return item;
  const own = namedFields(item, words.subtopic).fields;
  return own.sources === undefined && own.citations === undefined ? { ...item, sources } : item;
}
