import { extname } from 'node:path';
import { givenJson } from '../../core/values/given-json';
import { isRecord } from '../../core/values/is-record';
import { readGivenText } from '../../platform/given-text';
import { RECORD_BOUNDS } from '../formats/record-bounds';
import type { SourceProblem } from '../source-reading';
import { splitBlocks } from './split-blocks';

export interface ObservationFile {
  observations: string[];
  problems: SourceProblem[];
}

const PDF_IS_A_SOURCE = 'a PDF is a source: give it with --sources';
const ALLOWED = 'allowed are .txt and .md (blocks of tool outputs), .json (a list) and .jsonl (one a line)';

/**
 * Reads `.txt` and `.md` (each block of a tool's output is an observation, and so is each text between blocks), `.json` (a list of texts,
 * or of objects with `content`) or `.jsonl` (one of these a line).
 */
export async function readObservationFile(file: string): Promise<ObservationFile> {
  const extension = extname(file).toLowerCase();
  if (!['.txt', '.md', '.json', '.jsonl'].includes(extension))
    return refused(
      file,
      `observations cannot be read from files of this type; ${extension === '.pdf' ? PDF_IS_A_SOURCE : ALLOWED}`,
    );
  const given = await readGivenText(file, RECORD_BOUNDS);
  if (!given.ok) return refused(file, given.message, given.line);
  const { text } = given;
  if (extension === '.json') return ofJson(file, text);
  if (extension === '.jsonl') return ofLines(file, text);
  return { observations: blocksOfText(text), problems: [] };
}

function refused(file: string, message: string, line?: number): ObservationFile {
  return { observations: [], problems: [{ file, ...(line === undefined ? {} : { line }), message }] };
}

/** Each block of a tool's output and each text between blocks; a tool's name goes with the block that follows it at once. */
export function blocksOfText(text: string): string[] {
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

function ofJson(file: string, text: string): ObservationFile {
  const json = givenJson(text);
  if (!json.ok) return refused(file, json.message, json.line);
  const { value } = json;
  const listed = isRecord(value) && Array.isArray(value.observations) ? value.observations : value;
  const list: unknown[] = Array.isArray(listed) ? listed : [listed];
  return collected(list.map((item, at) => ({ reading: observationOf(item), problem: { file, at } })));
}

function ofLines(file: string, text: string): ObservationFile {
  const lines = text
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [{ line, number: at + 1 }]));
  return collected(
    lines.map(({ line, number }) => {
      const json = givenJson(line);
      const reading = json.ok ? observationOf(json.value) : json;
      return { reading, problem: { file, line: number } };
    }),
  );
}

type Observation = { ok: true; text: string } | { ok: false; message: string };

/** An object stays JSON: its content cannot pass for several blocks then. */
function observationOf(value: unknown): Observation {
  if (typeof value === 'string') return { ok: true, text: value };
  if (isRecord(value) && typeof value.content === 'string') return { ok: true, text: JSON.stringify(value) };
  return {
    ok: false,
    message:
      'no observation; needed is a text, or an object with content, and source, page, similarity, title, url, origin',
  };
}

function collected(
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
