import type { GivenSource } from '../../contracts/brief/subtopic';
import { isRecord } from '../../core/values/is-record';
import { isWebAddress, parseGivenSource, WEB_ADDRESS } from '../parse-record';
import { kindOf, quotedValue } from '../told-values';
import words from './data/subtopic-keys.json';
import { namedFields } from './named-fields';

/** Sources of a subtopic, and what is wrong or odd about them, as parts of a sentence. */
export interface ParsedSources {
  sources: GivenSource[];
  problems: string[];
  remarks: string[];
}

const MAX_SOURCES = 10_000;

/** A list of addresses and of objects, or one alone; `name` is what the list is called. */
export function parseSourceList(value: unknown, name: string): ParsedSources {
  if (value === undefined) return { sources: [], problems: [], remarks: [] };
  if (!Array.isArray(value) && !isRecord(value) && typeof value !== 'string')
    return refused(
      `${name} is ${kindOf(value)}; allowed is a list of addresses and of { url, title, content }`,
    );
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_SOURCES)
    return refused(`${name} has ${list.length} entries; at most ${MAX_SOURCES} are allowed`);
  const parsed = list.map((item, at) =>
    parseSource(item, Array.isArray(value) ? `${name}, entry ${at + 1}` : name),
  );
  return {
    sources: parsed.flatMap(({ sources }) => sources),
    problems: parsed.flatMap(({ problems }) => problems),
    remarks: parsed.flatMap(({ remarks }) => remarks),
  };
}

function parseSource(item: unknown, name: string): ParsedSources {
  if (typeof item === 'string') {
    const url = item.trim();
    return isWebAddress(url)
      ? { sources: [{ url }], problems: [], remarks: [] }
      : refused(
          `${name} is ${quotedValue(item)}; allowed is ${WEB_ADDRESS}, or an object with url, title and content`,
        );
  }
  if (!isRecord(item))
    return refused(
      `${name} is ${kindOf(item)}; allowed is an address, or an object with url, title and content`,
    );
  const { fields } = namedFields(item, words.source);
  if (fields.url === undefined && fields.title === undefined && fields.content === undefined)
    return refused(`${name} has neither url nor title nor content; give at least one of them`);
  // What has an address is known by it: other systems count their sources anew in each subtopic.
  const { id, ...told } = fields;
  const parsed = parseGivenSource(fields.url === undefined && id !== undefined ? fields : told);
  if (!parsed.ok) return refused(`${name}: ${parsed.message}`);
  return {
    sources: [parsed.fields],
    problems: [],
    remarks: parsed.remarks.map((remark) => `${name}: ${remark}`),
  };
}

function refused(problem: string): ParsedSources {
  return { sources: [], problems: [problem], remarks: [] };
}
