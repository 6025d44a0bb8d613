import { givenJson } from '../../core/values/given-json';
import { type FileBounds, readGivenFile, sizeText } from '../../platform/given-file';
import { decodeUtf8 } from '../../platform/utf8-text';
import { htmlMarkdown } from '../formats/html/html-markdown';
import { parseHtml } from '../formats/html/html-tree';
import { evidenceTable, tableDelimiter } from './evidence-table';
import { resultMarkdown } from './result-json';
import { runPage } from './run-page';

export type ReportFormat = 'Markdown' | 'JSON' | 'HTML' | 'CSV';

/** A report as Markdown, or what is wrong with it, as the rest of a sentence that begins with its name. */
export type ReportReading =
  | {
      ok: true;
      format: ReportFormat;
      markdown: string;
      /** Whether a byte order mark stands before the text in its file; it is no part of the Markdown. */
      hasByteOrderMark: boolean;
    }
  | { ok: false; message: string; line?: number };

/** Each claim is held against sources, which takes some seconds a megabyte; this is half a million words. */
const MOST_TEXT = 4 * 1024 * 1024;
const LONGER = `larger than ${sizeText(MOST_TEXT)}; verify its parts one by one`;
/** What is no text by its name may hold far more than one. */
const BOUNDS: FileBounds = { maxBytes: 64 * 1024 * 1024, otherwise: 'verify its parts one by one' };
const TEXT_BOUNDS: FileBounds = { ...BOUNDS, maxBytes: MOST_TEXT };
const TEXT_NAME = /\.(?:md|markdown|txt)$/i;
/** Of a page a large part is what is around its text; a parser needs many times its size. */
const MOST_HTML = 16 * 1024 * 1024;

/** Reads a report that somebody wrote, in the format that its content tells, whatever its name is. */
export async function readReport(file: string): Promise<ReportReading> {
  const given = await readGivenFile(file, TEXT_NAME.test(file) ? TEXT_BOUNDS : BOUNDS);
  if (!given.ok) return given;
  const other = otherFormat(given.bytes);
  if (other !== null)
    return {
      ok: false,
      message: `it is ${other}, of which no report is read; give it as Markdown or HTML, as “export” writes both`,
    };
  const decoded = decodeUtf8(given.bytes);
  if (!decoded.ok) return decoded;
  const { text, hasByteOrderMark } = decoded;
  if (text.trim() === '') return { ok: false, message: 'the file is empty' };
  const read = asMarkdown(text, given.bytes.length);
  if (!read.ok) return read;
  if (read.markdown.length > MOST_TEXT) return { ok: false, message: `its text is ${LONGER}` };
  return { ...read, hasByteOrderMark };
}

/** What a file begins with where it is of a format that is read as a source, or by word processors. */
function otherFormat(bytes: Buffer): string | null {
  if (bytes.subarray(0, 1_024).includes('%PDF-')) return 'a PDF';
  return bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004'
    ? 'a file of a word processor, or a ZIP'
    : null;
}

type Read =
  { ok: true; format: ReportFormat; markdown: string } | { ok: false; message: string; line?: number };

function asMarkdown(text: string, bytes: number): Read {
  if (/^\s*\{\s*["}]/.test(text)) return ofJson(text);
  const delimiter = tableDelimiter(text);
  if (delimiter !== null) {
    const table = evidenceTable(text, delimiter);
    return table.ok ? { ...table, format: 'CSV' } : table;
  }
  if (isHtml(text)) return ofHtml(text, bytes);
  return bytes > MOST_TEXT
    ? { ok: false, message: LONGER }
    : { ok: true, format: 'Markdown', markdown: text };
}

function ofJson(text: string): Read {
  const json = givenJson(text);
  if (!json.ok) return json;
  const markdown = resultMarkdown(json.value);
  if (markdown !== null) return { ok: true, format: 'JSON', markdown };
  return {
    ok: false,
    message:
      'it has no text of a report under "markdown", as the report.json of a run has, and none under "answer"',
  };
}

function ofHtml(text: string, bytes: number): Read {
  if (bytes > MOST_HTML)
    return { ok: false, message: `larger than ${sizeText(MOST_HTML)}, as HTML; verify its parts one by one` };
  const page = parseHtml(text);
  if (!page.ok)
    return {
      ok: false,
      message: `${page.message}, which no page needs for a report; give its text as Markdown`,
    };
  const markdown = htmlMarkdown(page.tree, runPage(page.tree) ?? {});
  if (markdown.trim() === '')
    return { ok: false, message: 'the page has no text; if a script makes it, save what a browser shows' };
  return { ok: true, format: 'HTML', markdown };
}

const BEFORE_PAGE = /^(?:\s+|<\?xml[^>]{0,200}\?>|<!--[^]{0,5000}?-->)*/;
const PAGE = /^<(?:!doctype\s+html|html|head|body)\b/i;
/** A part of a page is one where it begins and ends as such; Markdown may begin with HTML as well. */
const PART = /^<(?:article|main|section|div|header|h[1-6]|p|ul|ol|table)\b/i;
const PART_END = /<\/(?:article|main|section|div|footer|p|ul|ol|table)>\s*$/i;
const MARKDOWN_LINE = /^(?:#{1,6} |[-*+] |\d+\. |> )/m;

function isHtml(text: string): boolean {
  const begin = text.slice(BEFORE_PAGE.exec(text)?.[0].length ?? 0);
  if (PAGE.test(begin)) return true;
  return PART.test(begin) && PART_END.test(text.slice(-1_000)) && !MARKDOWN_LINE.test(text);
}
