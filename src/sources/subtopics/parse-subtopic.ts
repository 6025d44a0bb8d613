import { GivenSubtopic, type GivenSource } from '../../contracts/brief/subtopic';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { isRecord } from '../../core/values/is-record';
import { unknownKeys } from '../unknown-keys';
import { kindOf, quotedValue } from '../told-values';
import words from './data/subtopic-keys.json';
import { namedFields } from './named-fields';
import type { SubtopicReading } from './subtopic-reading';
import { isWebAddress, parseGivenSource, WEB_ADDRESS } from '../parse-record';

const MAX_TITLE_CHARS = 300;

/** A value of a file, in the shapes that research systems write; the message for a bad one names every field that is wrong. */
export function parseSubtopic(value: unknown): SubtopicReading {
  if (!isRecord(value))
    return {
      ok: false,
      message: `${kindOf(value)} where a subtopic should be: an object with \`subtopic\` (or \`title\`), \`summary\`, and \`citations\` or \`sources\``,
    };
  const { fields, unknown } = namedFields(value, words.subtopic);
  const cited = parseSourceList(fields.citations, 'citations');
  const held = parseSourceList(fields.sources, 'sources');
  const unnamed = cited.sources.filter(({ url }) => url === undefined).length;
  const problems = [
    ...titleProblems(fields.title),
    ...summaryProblems(fields.summary),
    ...cited.problems,
    ...held.problems,
    ...(unnamed === 0 ? [] : [`citations has ${unnamed} without an address; give those among \`sources\``]),
  ];
  if (problems.length > 0) return { ok: false, message: problems.join('; ') };
  const citations = cited.sources.flatMap(({ url }) => (url === undefined ? [] : [url]));
  // An entry of the citations that says more than its address is a source as well.
  const sources = [...held.sources, ...cited.sources.filter((source) => Object.keys(source).length > 1)];
  const subtopic = GivenSubtopic.parse({
    title: oneLine(fields.title),
    summary: fields.summary,
    ...(citations.length === 0 ? {} : { citations }),
    ...(sources.length === 0 ? {} : { sources }),
  });
  return { ok: true, subtopic, remarks: [...cited.remarks, ...held.remarks, ...misspelt(unknown, fields)] };
}

function titleProblems(title: unknown): string[] {
  const line = oneLine(title);
  if (title === undefined) return ['its title is missing; needed is `subtopic` or `title`, a text'];
  if (line === '')
    return [`its title is ${typeof title === 'string' ? 'blank' : kindOf(title)}; allowed is text`];
  return line.length > MAX_TITLE_CHARS
    ? [`its title has ${line.length} characters; at most ${MAX_TITLE_CHARS} are allowed`]
    : [];
}

function summaryProblems(summary: unknown): string[] {
  if (summary === undefined)
    return ['its summary is missing or empty; needed is `summary`, Markdown or plain text'];
  return typeof summary === 'string' ? [] : [`its summary is ${kindOf(summary)}; allowed is text`];
}

function oneLine(title: unknown): string {
  return typeof title === 'string' ? stripUnsafe(title).replace(/\s+/g, ' ').trim() : '';
}

/** Keys that mean nothing here are other systems' own; one that is nearly a known one may be a slip. */
function misspelt(unknown: readonly string[], fields: object): string[] {
  const free = Object.keys(words.subtopic).filter((field) => !(field in fields));
  return unknownKeys(unknown, free).flatMap(({ key, nearest }) =>
    nearest === null ? [] : [`the key ${JSON.stringify(key)} is not read; did you mean ${nearest}?`],
  );
}

/** Sources of a subtopic, and what is wrong or odd about them, as parts of a sentence. */
interface ParsedSources {
  sources: GivenSource[];
  problems: string[];
  remarks: string[];
}

const MAX_SOURCES = 10_000;

/** A list of addresses and of objects, or one alone; `name` is what the list is called. */
function parseSourceList(value: unknown, name: string): ParsedSources {
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
