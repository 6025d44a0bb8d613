import type { GivenSubtopic } from '../../contracts/brief/subtopic';
import type { Warning } from '../../contracts/run/run';
import { locatedFile } from '../../platform/given-file';
import { readGivenText } from '../../platform/given-text';
import { RECORD_BOUNDS } from '../formats/record-bounds';
import { problemLine } from '../invalid-sources-error';
import { foundFiles, type FoundFile, type WantedFiles } from '../source-files';
import type { SourceProblem } from '../source-reading';
import { InvalidSubtopicsError } from './invalid-subtopics-error';
import type { SubtopicReading } from './subtopic-reading';
import { givenJson } from '../../core/values/given-json';
import { isRecord } from '../../core/values/is-record';
import words from './data/subtopic-keys.json';
import { firstUnder, namedFields } from './named-fields';
import { parseSubtopic } from './parse-subtopic';
import { basename, extname } from 'node:path';
import { frontMatterBlock } from '../formats/front-matter';
import { titleOf } from '../source-title';
import { hasProse } from './has-prose';

export interface ReadSubtopics {
  subtopics: GivenSubtopic[];
  warnings: Warning[];
}

type Extension = '.md' | '.markdown' | '.txt' | '.json' | '.jsonl';

const WANTED: WantedFiles<Extension> = {
  extensions: ['.md', '.markdown', '.txt', '.json', '.jsonl'],
  noun: 'note',
};

type FileReading = SubtopicReading | { ok: 'index' | 'skipped'; message: string };

/**
 * The subtopics of files and folders, in the order of the paths and by name within a folder. Throws `InvalidSubtopicsError` with
 * everything that is wrong, file by file; what is odd, or left out of a folder, is a warning.
 */
export async function readSubtopics(
  paths: readonly string[],
  cwd: string = process.cwd(),
): Promise<ReadSubtopics> {
  const subtopics: GivenSubtopic[] = [];
  const problems: SourceProblem[] = [];
  const warnings: Warning[] = [];
  const warn = (problem: SourceProblem): unknown =>
    warnings.push({ code: 'subtopic-remark', message: problemLine(problem) });
  for await (const found of foundFiles(paths, WANTED, { cwd })) {
    if (found.kind === 'problem') problems.push(found.problem);
    else if (found.kind === 'skipped') warn({ file: found.file, message: `left out: ${NOT_READ}` });
    else
      for (const reading of await readingsOf(found, cwd)) {
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

const NOT_READ = `subtopics are read from ${WANTED.extensions.join(', ')}`;

async function readingsOf(
  { file, extension, explicit }: FoundFile<Extension> & { kind: 'file' },
  cwd: string,
): Promise<FileReading[]> {
  const given = await readGivenText(locatedFile(cwd, file), RECORD_BOUNDS);
  if (!given.ok) return [given];
  const { text } = given;
  if (extension === '.jsonl') return readSubtopicLines(text);
  if (extension !== '.json') return [readNote(text, file)];
  const readings = readSubtopicJson(text);
  if (readings !== null) return readings;
  const message = 'it holds no subtopics: no `subtopic`, no `summary`, and no list of them under `subtopics`';
  return [{ ok: explicit ? false : 'skipped', message }];
}

/**
 * The subtopics of a JSON text: one, a list, or a list under `subtopics`, where sources beside that list are those of every subtopic
 * that names none. Null for a text that holds something else altogether.
 */
function readSubtopicJson(text: string): SubtopicReading[] | null {
  const json = givenJson(text);
  if (!json.ok) return [json];
  const { value } = json;
  if (!isRecord(value)) return Array.isArray(value) ? readList(value) : [parseSubtopic(value)];
  const list = firstUnder(value, words.lists);
  if (Array.isArray(list)) return readList(list.map((item) => withShared(item, value)));
  const { fields } = namedFields(value, words.subtopic);
  return Object.keys(fields).length === 0 ? null : [parseSubtopic(value)];
}

function readSubtopicLines(text: string): SubtopicReading[] {
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

/**
 * The subtopic of a note: its text is the summary exactly as it stands, links, footnotes and its own list of sources included;
 * front matter has the title, `sources`, `citations`, and the address of a note on one source. An index that says nothing itself
 * is none, and what it holds instead is told.
 */
function readNote(text: string, file: string): SubtopicReading | { ok: 'index'; message: string } {
  const block = frontMatterBlock(text);
  if (!block.ok) return block;
  const { content, unclosed } = block;
  // What is not written out, aliases of YAML, is not followed: few lines of them make very many values.
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
  const { fields } = namedFields(said, words.note);
  const own = ownSource(said);
  const reading = parseSubtopic({
    title: fields.title ?? titleOf(content, file),
    summary: content,
    citations: fields.citations,
    sources: own === null ? fields.sources : [...listOf(fields.sources), own],
  });
  if (!reading.ok || !unclosed) return reading;
  const remark =
    'it begins with --- and fields, as front matter does, and no --- closes them; all of it is taken for text';
  return { ...reading, remarks: [remark, ...reading.remarks] };
}

function ownSource(said: Record<string, unknown>): Record<string, unknown> | null {
  if (firstUnder(said, words.source.url) === undefined) return null;
  const { content: _content, id: _id, pages: _pages, ...described } = namedFields(said, words.source).fields;
  return described;
}

function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
