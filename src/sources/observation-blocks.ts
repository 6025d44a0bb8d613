import { extname } from 'node:path';
import { type PageRange, PassageOrigin } from '../contracts/answer';
import { readTextFile } from '../lib/files';
import { isRecord, parseBoundedJson } from '../lib/json';
import keys from './data/observation-keys.json';
import { RECORD_BOUNDS } from './formats/document-formats';
import type { SourceProblem } from './source-problems';

export interface ObservationFile {
  observations: string[];
  problems: SourceProblem[];
}

const PDF_IS_A_SOURCE = 'a PDF is a source: give it with --sources';
const ALLOWED = 'allowed are .txt and .md (blocks of tool outputs), .json (a list) and .jsonl (one a line)';

/** `.txt` and `.md` hold blocks, `.json` a list, `.jsonl` one observation per line. */
export async function readObservationFile(file: string): Promise<ObservationFile> {
  const extension = extname(file).toLowerCase();
  if (!['.txt', '.md', '.json', '.jsonl'].includes(extension))
    return rejectedFile(
      file,
      `observations cannot be read from files of this type; ${extension === '.pdf' ? PDF_IS_A_SOURCE : ALLOWED}`,
    );
  const given = await readTextFile(file, RECORD_BOUNDS);
  if (!given.ok) return rejectedFile(file, given.message, given.line);
  const { text } = given;
  if (extension === '.json') return readJsonObservations(file, text);
  if (extension === '.jsonl') return readObservationLines(file, text);
  return { observations: textBlocks(text), problems: [] };
}

function rejectedFile(file: string, message: string, line?: number): ObservationFile {
  return { observations: [], problems: [{ file, ...(line === undefined ? {} : { line }), message }] };
}

export function textBlocks(text: string): string[] {
  const texts: string[] = [];
  let tool: number | null = null;
  for (const { kind, start, end } of splitBlocks(text)) {
    const from: number = tool ?? start;
    const isAnnounced = kind === 'tool' && /^\r?\n[^\r\n]/.test(text.slice(end, end + 3));
    tool = isAnnounced ? from : null;
    if (!isAnnounced) texts.push(text.slice(from, end).trim());
  }
  return tool === null ? texts : [...texts, text.slice(tool).trim()];
}

function readJsonObservations(file: string, text: string): ObservationFile {
  const json = parseBoundedJson(text);
  if (!json.ok) return rejectedFile(file, json.message, json.line);
  const { value } = json;
  const listed = isRecord(value) && Array.isArray(value.observations) ? value.observations : value;
  const list: unknown[] = Array.isArray(listed) ? listed : [listed];
  return collectObservations(
    list.map((item, at) => ({ reading: parseObservation(item), problem: { file, at } })),
  );
}

function readObservationLines(file: string, text: string): ObservationFile {
  const lines = text
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [{ line, number: at + 1 }]));
  return collectObservations(
    lines.map(({ line, number }) => {
      const json = parseBoundedJson(line);
      const reading = json.ok ? parseObservation(json.value) : json;
      return { reading, problem: { file, line: number } };
    }),
  );
}

type Observation = { ok: true; text: string } | { ok: false; message: string };

/** Objects stay JSON, so that their content cannot fake several blocks. */
function parseObservation(value: unknown): Observation {
  if (typeof value === 'string') return { ok: true, text: value };
  if (isRecord(value) && typeof value.content === 'string') return { ok: true, text: JSON.stringify(value) };
  return {
    ok: false,
    message:
      'no observation; needed is a text, or an object with content, and source, page, similarity, title, url, origin',
  };
}

function collectObservations(
  items: readonly { reading: Observation; problem: { file: string; line?: number; at?: number } }[],
): ObservationFile {
  return {
    observations: items.flatMap(({ reading }) => (reading.ok ? [reading.text] : [])),
    problems: items.flatMap(({ reading, problem: { file, line, at } }) => {
      if (reading.ok) return [];
      const message = at === undefined ? reading.message : `observation ${at + 1}: ${reading.message}`;
      return [{ file, ...(line === undefined ? {} : { line }), message }];
    }),
  };
}

export interface ObservationBlock {
  kind: 'document' | 'tool' | 'plain';
  start: number;
  end: number;
  /** First value per key, without the content. */
  fields: Partial<Record<ObservationKey, string>>;
  content: { start: number; end: number };
}

const HEADER_LINES = 10;
const NAMING_KEYS: ReadonlySet<ObservationKey | null> = new Set(['source', 'title', 'url']);
const CLOSING_KEYS: ReadonlySet<ObservationKey | null> = new Set(['similarity', 'origin', 'page', 'url']);

/** Text can fake a block, so untrusted texts need the JSON form. */
export function splitBlocks(text: string): ObservationBlock[] {
  const lines = observationLines(text);
  const blocks: ObservationBlock[] = [];
  for (let at = 0; at < lines.length;) {
    const header = headerAt(text, lines, at);
    const isTool = lines[at]?.key === 'tool' && isBoundary(lines, at);
    let next = at + (header?.length ?? 1);
    while (next < lines.length && !(isTool || startsBlock(text, lines, next))) next += 1;
    const range = { start: lines[at]?.start ?? 0, end: lines[next - 1]?.end ?? text.length };
    if (header !== null) blocks.push(documentBlock(text, lines.slice(at, next), header.length, range));
    else if (isTool)
      blocks.push({ kind: 'tool', ...range, fields: {}, content: { start: range.end, end: range.end } });
    else
      blocks.push({
        kind: 'plain',
        ...range,
        fields: {},
        content: plainContent(text, lines.slice(at, next)),
      });
    at = next;
  }
  return blocks.filter(({ kind, content }) => kind !== 'plain' || content.end > content.start);
}

function startsBlock(text: string, lines: readonly ObservationLine[], at: number): boolean {
  return headerAt(text, lines, at) !== null || (lines[at]?.key === 'tool' && isBoundary(lines, at));
}

/** The content line is last. Null if no header starts here. */
function headerAt(text: string, lines: readonly ObservationLine[], at: number): ObservationLine[] | null {
  const first = lines[at];
  if (first === undefined || (!NAMING_KEYS.has(first.key) && first.key !== 'content')) return null;
  const header: ObservationLine[] = [];
  for (const line of lines.slice(at, at + HEADER_LINES)) {
    if (line.key === null || line.key === 'tool' || header.some(({ key }) => key === line.key)) break;
    header.push(line);
    // Content paragraphs may look like a header; unnamed blocks must follow another block.
    if (line.key === 'content')
      return NAMING_KEYS.has(first.key) || (isBoundary(lines, at) && lines[at - 1]?.isBlank !== true)
        ? header
        : null;
  }
  const isNamed =
    header.length > 1 || /\b(?:pages?|pp?)\b\.?\s*\d/i.test(text.slice(first.valueStart, first.end));
  return isNamed && NAMING_KEYS.has(first.key) && isBoundary(lines, at) ? header : null;
}

function isBoundary(lines: readonly ObservationLine[], at: number): boolean {
  const before = lines[at - 1];
  return (
    before === undefined ||
    before.isBlank ||
    before.isSeparator ||
    before.key === 'tool' ||
    before.key === 'similarity' ||
    before.key === 'origin'
  );
}

function documentBlock(
  text: string,
  lines: readonly ObservationLine[],
  headerLines: number,
  range: { start: number; end: number },
): ObservationBlock {
  const fields: ObservationBlock['fields'] = {};
  const take = ({ key, valueStart, end }: ObservationLine): void => {
    if (key !== null && key !== 'content') fields[key] ??= text.slice(valueStart, end).trim();
  };
  const header = lines.slice(0, headerLines);
  header.forEach(take);
  const named = header.at(-1);
  const start = named?.key === 'content' ? named.valueStart : (named?.end ?? range.start);
  let rest = lines.slice(headerLines);
  for (let last = rest.at(-1); last !== undefined; last = rest.at(-1)) {
    if (!last.isBlank && !last.isSeparator && !isClosingLine(text, last)) break;
    if (!last.isBlank && !last.isSeparator) take(last);
    rest = rest.slice(0, -1);
  }
  const end = rest.at(-1)?.end ?? (named?.key === 'content' ? named.end : start);
  return { kind: 'document', ...range, fields, content: trimRange(text, start, end) };
}

/** True for trailing metadata of the block. */
function isClosingLine(text: string, { key, valueStart, end }: ObservationLine): boolean {
  if (!CLOSING_KEYS.has(key)) return false;
  const value = text.slice(valueStart, end).trim();
  if (key === 'similarity') return parseSimilarity(value) !== null;
  return !/\s/.test(value);
}

/** Without separators and lines that announce blocks. */
function plainContent(text: string, lines: readonly ObservationLine[]): { start: number; end: number } {
  const says = (line: ObservationLine): boolean => !line.isBlank && !line.isSeparator;
  const first = lines.find(says);
  const last = lines.findLast(says);
  if (first === undefined || last === undefined) return { start: 0, end: 0 };
  const content = trimRange(text, first.start, last.end);
  const announces = first === last && text[content.end - 1] === ':';
  return announces ? { start: content.start, end: content.start } : content;
}

function trimRange(text: string, from: number, to: number): { start: number; end: number } {
  const piece = text.slice(from, to);
  const start = from + (piece.length - piece.trimStart().length);
  return { start, end: Math.max(start, start + piece.trim().length) };
}

type ObservationKey = Exclude<keyof typeof keys, 'comment'>;

const KEYS: Readonly<Record<ObservationKey, readonly string[]>> = keys;
const KEY_BY_WORD = new Map(
  // The keys come from the JSON file.
  (Object.keys(KEYS) as ObservationKey[])
    .filter((key) => Array.isArray(KEYS[key]))
    .flatMap((key) => KEYS[key].map((word) => [word, key] as const)),
);

/** Numbering, bullet or heading before a key: `1. Source: …`, `[2] Source: …`, `### Source: …`. */
const MARKER = /^\s{0,8}(?:[-*•>]\s+|\d{1,3}[.)]\s+|\[\d{1,3}\]\s*|#{1,6}\s+)?/;
const KEY_PATTERN = /^(?:\*\*|__)?([A-Za-z][A-Za-z ]{1,20}?)(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*/;
/** Keys appear in this many characters at most. */
const KEY_SEARCH_CHARS = 80;

interface ObservationLine {
  start: number;
  end: number;
  isBlank: boolean;
  isSeparator: boolean;
  key: ObservationKey | null;
  valueStart: number;
}

const SEPARATOR =
  /^\s*(?:[-=*_~]{3,}|[-=*_~]{3,}.{0,60}[-=*_~]{3,}|(?:\p{Lu}\p{Ll}{1,12} )?#?\d{1,4}:?)\s*$/u;

function observationLines(text: string): ObservationLine[] {
  const lines: ObservationLine[] = [];
  for (let start = 0; start <= text.length;) {
    const feed = text.indexOf('\n', start);
    const next = feed < 0 ? text.length : feed;
    const end = next > start && text[next - 1] === '\r' ? next - 1 : next;
    lines.push(parseLine(text, start, end));
    start = next + 1;
  }
  return lines;
}

function parseLine(text: string, start: number, end: number): ObservationLine {
  const opening = text.slice(start, Math.min(end, start + KEY_SEARCH_CHARS));
  const marker = MARKER.exec(opening)?.[0] ?? '';
  const match = KEY_PATTERN.exec(opening.slice(marker.length));
  const key = KEY_BY_WORD.get(match?.[1]?.toLowerCase() ?? '') ?? null;
  return {
    start,
    end,
    isBlank: end - start < KEY_SEARCH_CHARS * 10 && text.slice(start, end).trim() === '',
    isSeparator: end - start <= KEY_SEARCH_CHARS && SEPARATOR.test(opening),
    key,
    valueStart: start + marker.length + (match?.[0].length ?? 0),
  };
}

const TRAILING_PAGES =
  /[\s,]*[([]?\s*\b(?:pages?|pp?)\b\.?\s*(\d{1,6})(?:\s*(?:[‐-―−-]|to)\s*(\d{1,6}))?\s*[)\]]?\s*$/i;
const ONLY_PAGES = /^\s*(?:(?:pages?|pp?)\b\.?\s*)?(\d{1,6})(?:\s*(?:[‐-―−-]|to)\s*(\d{1,6}))?\s*$/i;
const SIMILARITY_PATTERN = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*(%?)\s*$/;
/** Limit against slow matching of long white space. */
const MAX_VALUE_CHARS = 80;

export function splitPages(value: string): { name: string; pages: PageRange | null } {
  const tailAt = Math.max(0, value.length - MAX_VALUE_CHARS);
  const match = TRAILING_PAGES.exec(value.slice(tailAt));
  const pages = match === null ? null : toPageRange(match);
  const name = value.slice(0, tailAt + (match?.index ?? 0)).trim();
  return pages === null || name === '' ? { name: value.trim(), pages: null } : { name, pages };
}

/** `3`, `3-5`, `p. 3`; null otherwise. */
export function parsePages(value: string): PageRange | null {
  const match = value.length > MAX_VALUE_CHARS ? null : ONLY_PAGES.exec(value);
  return match === null ? null : toPageRange(match);
}

function toPageRange(match: RegExpExecArray): PageRange | null {
  const from = Number(match[1]);
  const to = Number(match[2] ?? from);
  return from < 1 || to < 1 ? null : { from: Math.min(from, to), to: Math.max(from, to) };
}

/** 0–1 from `0.89` or `89 %`; null otherwise. */
export function parseSimilarity(value: string): number | null {
  const match = value.length > MAX_VALUE_CHARS ? null : SIMILARITY_PATTERN.exec(value);
  if (match === null) return null;
  const similarity = Number(match[1]) / (match[2] === '%' ? 100 : 1);
  return similarity <= 1 ? similarity : null;
}

export function parseOrigin(value: string): PassageOrigin {
  return PassageOrigin.catch('text').parse(value.trim().toLowerCase());
}
