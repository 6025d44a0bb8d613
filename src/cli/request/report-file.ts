import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../core/values/is-record';
import { parsedJson } from '../../core/values/parsed-json';
import { decodeUtf8 } from '../../sources/formats/utf8-text';
import { systemErrorText } from '../../sources/system-error-text';

/** A report that somebody wrote, as it is read from its file. */
export interface ReportFile {
  /** As it was named. */
  file: string;
  /** Where it really lies, for comparison. */
  realPath: string;
  markdown: string;
  /** What its bytes begin with before the text. */
  byteOrderMark: '\ufeff' | '';
}

/** Reads `report.md`, or the text of a `report.json` beside it; or says what is wrong with it. */
export async function readReportFile(file: string): Promise<ReportFile | { problem: string }> {
  const problem = (message: string): { problem: string } => ({ problem: `REPORT ${file}: ${message}.` });
  if (file.trim() === '') return { problem: 'REPORT is an empty path: name a file.' };
  let bytes: Buffer;
  let realPath: string;
  try {
    if (!(await stat(file)).isFile()) return problem('it is no file');
    [bytes, realPath] = await Promise.all([readFile(file), realpath(file)]);
  } catch (error) {
    return problem(systemErrorText(error));
  }
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return problem(`line ${decoded.line}: ${decoded.message}`);
  const byteOrderMark = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? '\ufeff' : '';
  if (path.extname(file).toLowerCase() !== '.json')
    return decoded.text.trim() === ''
      ? problem('the file is empty')
      : { file, realPath, markdown: decoded.text, byteOrderMark };
  const parsed = parsedJson(decoded.text);
  const markdown = isRecord(parsed) ? parsed['markdown'] : undefined;
  return typeof markdown === 'string' && markdown.trim() !== ''
    ? { file, realPath, markdown, byteOrderMark: '' }
    : problem('it has no text of a report under "markdown", as the report.json of a run has');
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
