import { decodeUtf8, nonTextReason } from '../../lib/files';
import { parseBoundedJson } from '../../lib/json';
import { hashOf, parseRecord } from '../record';
import type { RecordReading } from '../source-problems';
import { type DetectedFormat, DOCUMENT_FORMATS, type DocumentFormat, MAX_PROBLEMS } from './document-formats';
import { splitFrontMatter } from './front-matter';
import { type NoteText, noteText } from './note-text';
import { parseFormat } from './parse-format';
import { type InputBytes, type JoinedDocuments, UnfitDocument } from './parsed-document';
import { decodeText } from './text-encoding';

/** JSON objects without these keys are other files, such as package settings. */
const SOURCE_KEYS = ['content', 'sources', 'url', 'title'];

const LINE_FEED = 0x0a;

const UNCLOSED_REMARK =
  'it begins with --- and fields, as front matter does, and no --- closes them; all of it is taken for text';

export async function readRecordsFromBytes(
  {
    bytes,
    extension,
    file,
    explicit,
    detected,
    line,
  }: InputBytes & { detected: DetectedFormat & { ok: true }; line: number },
  onPart: (part: number) => void,
): Promise<(RecordReading | 'not-sources')[]> {
  const { format, remark } = detected;
  const remarks = remark === undefined ? [] : [remark];
  switch (format) {
    case 'jsonLines':
      return readJsonLines(bytes, line);
    case 'json':
      return [...readJson(bytes, explicit)];
    case 'text': {
      const reading = readText(bytes, extension, file);
      return [reading.ok ? { ...reading, remarks: [...remarks, ...reading.remarks] } : reading];
    }
    default:
      return readDocument({ format, bytes, file, remarks }, await parseFormat(format, bytes, onPart));
  }
}

interface DocumentInput {
  format: DocumentFormat;
  bytes: Uint8Array;
  /** Citation name of a document without a title; null without a file. */
  file: string | null;
  remarks: readonly string[];
}

function readDocument(
  { format, bytes, file, remarks }: DocumentInput,
  parsed: JoinedDocuments,
): RecordReading[] {
  if (!parsed.ok) return [parsed];
  const { mediaType, isOfMany = false } = DOCUMENT_FORMATS[format];
  const named = file === null || isOfMany ? {} : { file };
  const sha256 = hashOf(bytes);
  return parsed.documents.map(({ fields, remarks: own }) => {
    const reading = parseRecord({ mediaType, ...named, ...fields, sha256 });
    return reading.ok ? { ...reading, remarks: [...remarks, ...own, ...reading.remarks] } : reading;
  });
}

/** One record: front matter and the text after it. */
function readText(bytes: Buffer, extension: string, file: string | null): RecordReading {
  const given = decodeText(bytes);
  if (!given.ok) return given;
  const parts = splitFrontMatter(given.text);
  const isMarkdown = extension === '.md';
  const note = isMarkdown ? readNote(parts.content) : { text: parts.content, remarks: [] };
  if ('message' in note) return note;
  if (note.text.trim() === '' && parts.fields.summary === undefined)
    return { ok: false, message: 'there is no text after the front matter' };
  const mediaType = isMarkdown ? 'text/markdown' : 'text/plain';
  const named = file === null ? {} : { file };
  const facts = { mediaType, ...named, ...parts.fields, sha256: hashOf(bytes) };
  const reading = parseRecord({ ...facts, content: note.text });
  if (!reading.ok) return reading;
  const unclosed = parts.unclosed ? [UNCLOSED_REMARK] : [];
  const remarks = [...unclosed, ...parts.remarks, ...note.remarks, ...reading.remarks];
  return { ...reading, remarks, unknown: parts.unknown };
}

function readNote(markdown: string): NoteText | { ok: false; message: string } {
  try {
    return noteText(markdown);
  } catch (error) {
    if (error instanceof UnfitDocument) return { ok: false, message: error.message };
    throw error;
  }
}

/** A binary file is one problem. Reading stops after `MAX_PROBLEMS` bad records. */
function readJsonLines(bytes: Buffer, firstLine: number): RecordReading[] {
  const readings: RecordReading[] = [];
  let problems = 0;
  for (let start = 0, line = firstLine; start < bytes.length && problems < MAX_PROBLEMS; line += 1) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed;
    const own = bytes.subarray(start, end);
    start = end + 1;
    const notText = nonTextReason(own, line);
    const reading: RecordReading | null = notText === null ? readLine(own) : { ok: false, message: notText };
    if (reading === null) continue;
    if (!reading.ok) problems += 1;
    readings.push({ ...reading, line });
    if (notText !== null) break;
  }
  return readings;
}

function readLine(bytes: Buffer): RecordReading | null {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return { ok: false, message: decoded.message };
  if (decoded.text.trim() === '') return null;
  const json = parseBoundedJson(decoded.text);
  return json.ok ? parseRecord(json.value) : { ok: false, message: json.message };
}

/** A list, `{ "sources": […] }`, or one record. Unrelated JSON in a folder is `not-sources`. */
function* readJson(
  bytes: Buffer,
  explicit: boolean,
): Generator<RecordReading | 'not-sources', void, undefined> {
  const given = decodeText(bytes);
  if (!given.ok) return yield given;
  const json = parseBoundedJson(given.text);
  if (!json.ok) return yield json;
  const { value } = json;
  if (!explicit && isUnrelated(value)) return yield 'not-sources';
  const list = sourceList(value);
  if (list === null) return yield parseRecord(value);
  if (list.length === 0) yield { ok: false, message: 'the list of sources is empty' };
  for (const [index, item] of list.entries()) {
    const reading = parseRecord(item);
    yield reading.ok ? reading : { ok: false, message: `record ${index + 1}: ${reading.message}` };
  }
}

function sourceList(value: unknown): unknown[] | null {
  const list = typeof value === 'object' && value !== null && 'sources' in value ? value.sources : value;
  return Array.isArray(list) ? list : null;
}

function isUnrelated(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !SOURCE_KEYS.some((key) => key in value)
  );
}
