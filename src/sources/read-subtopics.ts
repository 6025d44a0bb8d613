import { basename, extname } from 'node:path';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { Warning } from '../contracts/run';
import { type GivenSource, GivenSubtopic } from '../contracts/start';
import { readTextFile, resolveFile } from '../lib/files';
import { isRecord, parseBoundedJson } from '../lib/json';
import { stripUnsafe } from '../lib/untrusted-text';
import words from './data/subtopic-keys.json';
import { RECORD_BOUNDS } from './formats/document-formats';
import { parseFrontMatterBlock } from './formats/front-matter';
import { isWebAddress, parseGivenSource, WEB_ADDRESS } from './record';
import { type FileFilter, findFiles, type FoundFile } from './source-files';
import {
  InvalidSubtopicsError,
  problemLine,
  quotedValue,
  type SourceProblem,
  unknownKeys,
  valueKind,
} from './source-problems';
import { inferTitle } from './source-readings';

const MAX_TITLE_CHARS = 300;

const MAX_SOURCES = 10_000;

const markdownProcessor = unified().use(remarkParse).use(remarkGfm);

const MIN_PROSE_WORDS = 4;

export interface ReadSubtopics {
  subtopics: GivenSubtopic[];
  warnings: Warning[];
}

type Extension = '.md' | '.markdown' | '.txt' | '.json' | '.jsonl';

const SUBTOPIC_FILES: FileFilter<Extension> = {
  extensions: ['.md', '.markdown', '.txt', '.json', '.jsonl'],
  noun: 'note',
};

type FileReading = SubtopicReading | { ok: 'index' | 'skipped'; message: string };

/** Throws `InvalidSubtopicsError` with all problems. Oddities and skipped files are warnings. */
export async function readSubtopics(
  paths: readonly string[],
  cwd: string = process.cwd(),
): Promise<ReadSubtopics> {
  const subtopics: GivenSubtopic[] = [];
  const problems: SourceProblem[] = [];
  const warnings: Warning[] = [];
  const warn = (problem: SourceProblem): unknown =>
    warnings.push({ code: 'subtopic-remark', message: problemLine(problem) });
  for await (const found of findFiles(paths, SUBTOPIC_FILES, { cwd })) {
    if (found.kind === 'problem') problems.push(found.problem);
    else if (found.kind === 'folder-end') continue;
    else if (found.kind === 'skipped') warn({ file: found.file, message: `left out: ${SKIPPED_MESSAGE}` });
    else
      for (const reading of await readSubtopicFile(found, cwd)) {
        const { file } = found;
        const line = 'line' in reading && reading.line !== undefined ? { line: reading.line } : {};
        if (reading.ok === true) {
          subtopics.push(reading.subtopic);
          for (const message of reading.remarks) warn({ file, ...line, message });
        } else if (reading.ok === false) problems.push({ file, ...line, message: reading.message });
        else warn({ file, message: `left out: ${reading.message}` });
      }
  }
  if (problems.length > 0) throw new InvalidSubtopicsError(problems);
  if (subtopics.length === 0)
    throw new InvalidSubtopicsError(
      paths.map((file) => ({ file, message: 'it has no subtopic: every file in it was left out' })),
    );
  return { subtopics, warnings };
}

const SKIPPED_MESSAGE = `subtopics are read from ${SUBTOPIC_FILES.extensions.join(', ')}`;

async function readSubtopicFile(
  { file, extension, explicit }: FoundFile<Extension> & { kind: 'file' },
  cwd: string,
): Promise<FileReading[]> {
  const given = await readTextFile(resolveFile(cwd, file), RECORD_BOUNDS);
  if (!given.ok) return [given];
  const { text } = given;
  if (extension === '.jsonl') return readSubtopicLines(text);
  if (extension !== '.json') return [readNote(text, file)];
  const readings = readSubtopicJson(text);
  if (readings !== null) return readings;
  const message = 'it holds no subtopics: no `subtopic`, no `summary`, and no list of them under `subtopics`';
  return [{ ok: explicit ? false : 'skipped', message }];
}

/** One subtopic, a list, or a list under `subtopics` with shared `sources`; else null. */
function readSubtopicJson(text: string): SubtopicReading[] | null {
  const json = parseBoundedJson(text);
  if (!json.ok) return [json];
  const { value } = json;
  if (!isRecord(value)) return Array.isArray(value) ? readList(value) : [parseSubtopic(value)];
  const list = firstValue(value, words.lists);
  if (Array.isArray(list)) return readList(list.map((item) => withSharedSources(item, value)));
  const { fields } = mapFields(value, words.subtopic);
  return Object.keys(fields).length === 0 ? null : [parseSubtopic(value)];
}

function readSubtopicLines(text: string): SubtopicReading[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const json = parseBoundedJson(line);
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

function withSharedSources(item: unknown, { sources }: Readonly<Record<string, unknown>>): unknown {
  if (sources === undefined || !isRecord(item)) return item;
  const own = mapFields(item, words.subtopic).fields;
  return own.sources === undefined && own.citations === undefined ? { ...item, sources } : item;
}

/** The whole note is the summary. An index without prose is skipped and reported. */
function readNote(text: string, file: string): SubtopicReading | { ok: 'index'; message: string } {
  const block = parseFrontMatterBlock(text);
  const { content, unclosed } = block;
  // YAML aliases are not expanded, because they multiply values.
  const told: unknown = block.fields?.toJSON();
  const said = isRecord(told) ? told : {};
  if (!hasProse(content)) {
    const name = basename(file, extname(file)).toLowerCase();
    if (words.indexes.includes(name)) return { ok: 'index', message: 'it has no prose, and is no subtopic' };
    return {
      ok: false,
      message: 'the note has no prose: give it a text that says what was found, or take it out of the folder',
    };
  }
  const { fields } = mapFields(said, words.note);
  const own = ownSource(said);
  const reading = parseSubtopic({
    title: fields.title ?? inferTitle(content, file),
    summary: content,
    citations: fields.citations,
    sources: own === null ? fields.sources : [...asList(fields.sources), own],
  });
  const remark = unclosed
    ? 'it begins with --- and fields, as front matter does, and no --- closes them; all of it is taken for text'
    : block.remark;
  return !reading.ok || remark === null ? reading : { ...reading, remarks: [remark, ...reading.remarks] };
}

function ownSource(said: Record<string, unknown>): Record<string, unknown> | null {
  if (firstValue(said, words.source.url) === undefined) return null;
  const { content: _content, id: _id, pages: _pages, ...described } = mapFields(said, words.source).fields;
  return described;
}

function asList(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

type Root = ReturnType<typeof markdownProcessor.parse>;

type Nodes = Root | Root['children'][number];

/** A paragraph or list item has words outside of links. */
function hasProse(markdown: string): boolean {
  return hasProseNode(markdownProcessor.parse(markdown));
}

function hasProseNode(node: Nodes): boolean {
  if (node.type === 'heading' || node.type === 'footnoteDefinition') return false;
  if (node.type === 'paragraph') {
    const words = proseText(node).trim();
    return !words.endsWith(':') && (words.match(/\p{L}+/gu) ?? []).length >= MIN_PROSE_WORDS;
  }
  return 'children' in node && node.children.some(hasProseNode);
}

function proseText(node: Nodes): string {
  if (node.type === 'text') return node.value.replace(/https?:\/\/\S+/g, '');
  if (node.type === 'link' || node.type === 'linkReference' || !('children' in node)) return ' ';
  return node.children.map(proseText).join('');
}

/** Accepts the field names of common research systems. */
function parseSubtopic(value: unknown): SubtopicReading {
  if (!isRecord(value))
    return {
      ok: false,
      message: `${valueKind(value)} where a subtopic should be: an object with \`subtopic\` (or \`title\`), \`summary\`, and \`citations\` or \`sources\``,
    };
  const { fields, unknown } = mapFields(value, words.subtopic);
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
  // A citation with more than an address is also a source.
  const sources = [...held.sources, ...cited.sources.filter((source) => Object.keys(source).length > 1)];
  const subtopic = GivenSubtopic.parse({
    title: oneLine(fields.title),
    summary: fields.summary,
    ...(citations.length === 0 ? {} : { citations }),
    ...(sources.length === 0 ? {} : { sources }),
  });
  return {
    ok: true,
    subtopic,
    remarks: [...cited.remarks, ...held.remarks, ...misspeltKeys(unknown, fields)],
  };
}

function titleProblems(title: unknown): string[] {
  const line = oneLine(title);
  if (title === undefined) return ['its title is missing; needed is `subtopic` or `title`, a text'];
  if (line === '')
    return [`its title is ${typeof title === 'string' ? 'blank' : valueKind(title)}; allowed is text`];
  return line.length > MAX_TITLE_CHARS
    ? [`its title has ${line.length} characters; at most ${MAX_TITLE_CHARS} are allowed`]
    : [];
}

function summaryProblems(summary: unknown): string[] {
  if (summary === undefined)
    return ['its summary is missing or empty; needed is `summary`, Markdown or plain text'];
  return typeof summary === 'string' ? [] : [`its summary is ${valueKind(summary)}; allowed is text`];
}

function oneLine(title: unknown): string {
  return typeof title === 'string' ? stripUnsafe(title).replace(/\s+/g, ' ').trim() : '';
}

/** Unknown keys are ignored, unless they resemble a known one. */
function misspeltKeys(unknown: readonly string[], fields: object): string[] {
  const free = Object.keys(words.subtopic).filter((field) => !(field in fields));
  return unknownKeys(unknown, free).flatMap(({ key, nearest }) =>
    nearest === null ? [] : [`the key ${JSON.stringify(key)} is not read; did you mean ${nearest}?`],
  );
}

interface ParsedSources {
  sources: GivenSource[];
  problems: string[];
  remarks: string[];
}

function parseSourceList(value: unknown, name: string): ParsedSources {
  if (value === undefined) return { sources: [], problems: [], remarks: [] };
  if (!Array.isArray(value) && !isRecord(value) && typeof value !== 'string')
    return rejectedSources(
      `${name} is ${valueKind(value)}; allowed is a list of addresses and of { url, title, content }`,
    );
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_SOURCES)
    return rejectedSources(`${name} has ${list.length} entries; at most ${MAX_SOURCES} are allowed`);
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
      : rejectedSources(
          `${name} is ${quotedValue(item)}; allowed is ${WEB_ADDRESS}, or an object with url, title and content`,
        );
  }
  if (!isRecord(item))
    return rejectedSources(
      `${name} is ${valueKind(item)}; allowed is an address, or an object with url, title and content`,
    );
  const { fields } = mapFields(item, words.source);
  if (fields.url === undefined && fields.title === undefined && fields.content === undefined)
    return rejectedSources(`${name} has neither url nor title nor content; give at least one of them`);
  // An address identifies the source; ids may repeat between subtopics.
  const { id, ...told } = fields;
  const parsed = parseGivenSource(fields.url === undefined && id !== undefined ? fields : told);
  if (!parsed.ok) return rejectedSources(`${name}: ${parsed.message}`);
  return {
    sources: [parsed.fields],
    problems: [],
    remarks: parsed.remarks.map((remark) => `${name}: ${remark}`),
  };
}

function rejectedSources(problem: string): ParsedSources {
  return { sources: [], problems: [problem], remarks: [] };
}

type SubtopicReading =
  | { ok: true; subtopic: GivenSubtopic; remarks: string[]; line?: number }
  | { ok: false; message: string; line?: number };

type FieldWords<Field extends string> = Readonly<Record<Field, readonly string[]>>;

/** Keys may be synonyms. Null and blank values are skipped. */
function mapFields<Field extends string>(
  value: Readonly<Record<string, unknown>>,
  words: FieldWords<Field>,
): { fields: Partial<Record<Field, unknown>>; unknown: string[] } {
  const given = new Map(Object.entries(value).map(([key, own]) => [foldKey(key), own]));
  const fields: Partial<Record<Field, unknown>> = {};
  // `Object.keys` loses the key type.
  for (const field of Object.keys(words) as Field[]) {
    const found = words[field].map((word) => given.get(foldKey(word))).find((own) => !isMissing(own));
    if (found !== undefined) fields[field] = found;
  }
  const known = new Set(Object.values<readonly string[]>(words).flat().map(foldKey));
  return { fields, unknown: Object.keys(value).filter((key) => !known.has(foldKey(key))) };
}

function firstValue(value: Readonly<Record<string, unknown>>, words: readonly string[]): unknown {
  return mapFields(value, { one: words }).fields.one;
}

function foldKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
