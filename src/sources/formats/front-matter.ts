import { Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { findExceededBound } from '../../lib/json';
import { doiUrl, normaliseDoi } from '../../lib/url';
import { isWebAddress } from '../record';
import { quotedValue, type UnknownKey, unknownKeys } from '../source-problems';
import { wikilinkTexts } from './note-text';

const MAX_FRONT_MATTER_CHARS = 65_536;

const FRONT_MATTER = /^---[ \t]*\r?\n((?:[\s\S]*?\r?\n)?)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** A `---` line followed by a field. */
const UNCLOSED_FRONT_MATTER = /^---[ \t]*\r?\n[A-Za-z][\w-]*:(?:[ \t]|\r?\n)/;

/** Of several names of one field the first here counts. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  id: 'id',
  url: 'url',
  link: 'url',
  source: 'source',
  doi: 'doi',
  title: 'title',
  author: 'author',
  authors: 'author',
  site: 'site',
  website: 'site',
  journal: 'site',
  publisher: 'site',
  publishedAt: 'publishedAt',
  published: 'publishedAt',
  date: 'publishedAt',
  year: 'publishedAt',
  accessedAt: 'accessedAt',
  accessed: 'accessedAt',
  // When the note was made: for a clipping the day of access.
  created: 'accessedAt',
  license: 'license',
  language: 'language',
  lang: 'language',
  summary: 'summary',
};
const FIELD_BY_NAME = new Map(
  Object.entries(FIELD_NAMES).map(([name, field]) => [name.toLowerCase(), field]),
);

/** Usual keys of Obsidian, Logseq and static sites that resemble known ones, and are no misspellings of them. */
const OTHER_KEYS = new Set([
  ...['tag', 'tags', 'publish', 'state', 'status', 'name', 'kind', 'page', 'pages', 'day', 'time', 'due'],
  ...['done', 'up', 'note', 'notes', 'read', 'rate', 'related', 'updated', 'draft', 'type', 'image', 'slug'],
]);

interface FrontMatterBlock {
  /** Null without a block, or for an empty one. */
  fields: YAMLMap | null;
  content: string;
  /** True if front matter begins but has no end. */
  unclosed: boolean;
  /** Names the first line that is not YAML, if the block was read line by line. */
  remark: string | null;
}

interface FrontMatter extends Pick<FrontMatterBlock, 'content' | 'unclosed'> {
  fields: Record<string, string>;
  unknown: UnknownKey[];
  remarks: string[];
}

/** Entries that are not valid YAML have the rest of their line as their value. */
export function parseFrontMatterBlock(text: string): FrontMatterBlock {
  const match = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER_CHARS));
  if (match === null)
    return { fields: null, content: text, unclosed: UNCLOSED_FRONT_MATTER.test(text), remark: null };
  const block = match[1] ?? '';
  const content = text.slice(match[0].length);
  const prose = { fields: null, content: text, unclosed: false, remark: null };
  const loose = (at: number, why: string, valueOf: (entry: string) => unknown): FrontMatterBlock => {
    const read = looseFields(block, valueOf);
    if (read === null) return prose;
    // YAML may notice a fault far below the entry that has it.
    const { first, last } = read.wrong ?? { first: 1, last: Infinity };
    const line = Math.max(first, Math.min(lineAt(block, at), last));
    const remark = `line ${line}: the front matter is no valid YAML (${why}) and is read line by line`;
    return { fields: read.fields, content, unclosed: false, remark };
  };
  const beyond = findExceededBound(block);
  if (beyond !== null) return loose(beyond.at, beyond.why, () => undefined);
  const { errors, contents } = parseYaml(block);
  const [error] = errors;
  if (error !== undefined) return loose(error.pos[0], error.message, yamlValue);
  // Prose between two rules is content.
  return contents === null || (isMap(contents) && !isProse(block, contents))
    ? { fields: contents, content, unclosed: false, remark: null }
    : prose;
}

/** `It was seen: a fall.` is an entry too. No usual name is among its keys, and they have spaces or a blank line above. */
function isProse(block: string, { items }: YAMLMap): boolean {
  const keys = items.map(({ key }) => (isScalar(key) ? String(key.value).toLowerCase() : ''));
  if (keys.some((key) => FIELD_BY_NAME.has(key) || OTHER_KEYS.has(key))) return false;
  return /^[ \t]*\r?\n/.test(block) || keys.every((key) => /\s/.test(key));
}

/** Values stay as written; lists are joined with `; `. Keys that resemble no known one are left out without a word. */
export function splitFrontMatter(text: string): FrontMatter {
  const block = parseFrontMatterBlock(text);
  const remarks = block.remark === null ? [] : [block.remark];
  const values = new Map<string, string>();
  const unknownNames: string[] = [];
  for (const pair of block.fields?.items ?? []) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const name = key.toLowerCase();
    const field = FIELD_BY_NAME.get(name);
    if (field === undefined) {
      if (!OTHER_KEYS.has(name)) unknownNames.push(key);
      continue;
    }
    const value = wikilinkTexts(nodeText(pair.value)).trim();
    if (isFilled(field, value) && !values.has(name)) values.set(name, value);
  }
  const given: Record<string, string> = {};
  for (const [name, field] of FIELD_BY_NAME) {
    const value = values.get(name);
    if (value !== undefined) given[field] ??= value;
  }
  const free = Object.entries(FIELD_NAMES).filter(([, field]) => !(field in given));
  const unknown = unknownKeys(
    unknownNames,
    free.map(([name]) => name),
  ).filter(({ nearest }) => nearest !== null);
  const fields = withAddress(given, remarks);
  return { fields, content: block.content, unknown, unclosed: block.unclosed, remarks };
}

function parseYaml(text: string): ReturnType<typeof parseDocument> {
  return parseDocument(text, { schema: 'failsafe', prettyErrors: false, logLevel: 'silent' });
}

function lineAt(block: string, at: number): number {
  return 1 + block.slice(0, at).split('\n').length;
}

/** Each is parsed by itself. */
const MAX_ENTRIES = 200;

/** A key is a word or a few. */
const ENTRY = /^([\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,59}?)[ \t]*:(?=[ \t]|$)[ \t]*(.*)$/u;

/** Each entry by itself, with the lines below it that are indented or items of a list; null if it begins as prose. */
function looseFields(
  block: string,
  valueOf: (entry: string) => unknown,
): { fields: YAMLMap | null; wrong: { first: number; last: number } | null } | null {
  const entries: { key: string; rest: string; lines: string[]; line: number }[] = [];
  for (const [at, line] of block.split(/\r?\n/).entries()) {
    const [, key, rest = ''] = ENTRY.exec(line) ?? [];
    if (key !== undefined) entries.push({ key, rest: rest.trim(), lines: [line], line: at + 2 });
    else if (entries.length > 0) entries.at(-1)?.lines.push(line);
    else if (line.trim() !== '' && !line.startsWith('#')) return null;
  }
  const fields = new Document({}, { schema: 'failsafe' });
  let wrong: { first: number; last: number } | null = null;
  for (const { key, rest, lines, line } of entries.slice(0, MAX_ENTRIES)) {
    let value = valueOf(lines.join('\n'));
    if (value === null) {
      wrong ??= { first: line, last: line + lines.length - 1 };
      // YAML allows no tabs there.
      value = valueOf(lines.map((one) => one.replace(/^\t+/, (tabs) => '  '.repeat(tabs.length))).join('\n'));
    }
    if (!fields.has(key)) fields.add(fields.createPair(key, value ?? unquoted(rest)));
  }
  return { fields: isMap(fields.contents) ? fields.contents : null, wrong };
}

/** The value of an entry; null if the entry is not valid YAML. */
function yamlValue(entry: string): unknown {
  const { errors, contents } = parseYaml(entry);
  if (errors.length > 0 || !isMap(contents)) return null;
  return contents.items[0]?.value ?? '';
}

/** Without quotes around all of it, and without one that is never closed. */
function unquoted(text: string): string {
  const quote = text.charAt(0);
  const quotes = quote === '"' || quote === "'" ? text.split(quote).length - 1 : 0;
  if (quotes !== 2 && quotes % 2 === 0) return text;
  return text.slice(1, quotes > 1 && text.endsWith(quote) ? -1 : undefined);
}

/** False for the blanks of templates, and for dates without a digit such as `published: true`. */
function isFilled(field: string, value: string): boolean {
  if (value === '' || /^\{\{[^{}]*\}\}$/.test(value)) return false;
  return !/At$/.test(field) || /\d/.test(value);
}

/** `url`, else an address under `source`, else the DOI. A `source` that is no address names the site. */
function withAddress(
  { url, source, doi, ...fields }: Record<string, string>,
  remarks: string[],
): Record<string, string> {
  const plainDoi = normaliseDoi(doi ?? '');
  const listed = [url, source].flatMap((one) => one?.split('; ') ?? []);
  const address = [...listed, plainDoi === null ? null : doiUrl(plainDoi)].find(isWebAddress);
  if (url !== undefined && !url.split('; ').some(isWebAddress))
    remarks.push(`url is ${quotedValue(url)}, which is no web address; it is left out`);
  const site = fields.site ?? (source?.includes('://') === true ? undefined : source);
  return {
    ...fields,
    ...(address === undefined ? {} : { url: address }),
    ...(site === undefined ? {} : { site }),
  };
}

function nodeText(node: unknown): string {
  if (isScalar(node)) return typeof node.value === 'string' ? node.value.trim() : '';
  if (isSeq(node)) return node.items.map(nodeText).filter(Boolean).join('; ');
  return isMap(node) ? nodeText(node.get('name', true)) : '';
}
