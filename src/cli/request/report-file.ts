import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { givenJson } from '../../core/values/given-json';
import { isRecord } from '../../core/values/is-record';
import { sizeText, type FileBounds } from '../../platform/given-file';
import { readGivenText } from '../../platform/given-text';
import { RECORD_BOUNDS } from '../../sources/formats/record-bounds';
import { fileProblem } from './given-text';

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

/** Each claim is held against sources, which takes some seconds a megabyte; this is half a million words. */
const REPORT_BOUNDS: FileBounds = { maxBytes: 4 * 1024 * 1024, otherwise: 'verify its parts one by one' };

/** Reads `report.md`, or the text of a `report.json` beside it; or says what is wrong with it. */
export async function readReportFile(file: string): Promise<ReportFile | { problem: string }> {
  const problem = (message: string): { problem: string } => ({ problem: `REPORT ${file}: ${message}.` });
  if (file.trim() === '') return { problem: 'REPORT is an empty path: name a file.' };
  const isJson = path.extname(file).toLowerCase() === '.json';
  // What a run leaves as JSON holds far more than its text.
  const given = await readGivenText(file, isJson ? RECORD_BOUNDS : REPORT_BOUNDS);
  if (!given.ok) return { problem: fileProblem(`REPORT ${file}`, given) };
  const { text, hasByteOrderMark } = given;
  const realPath = await realpath(file);
  if (!isJson) return { file, realPath, markdown: text, byteOrderMark: hasByteOrderMark ? '\ufeff' : '' };
  const json = givenJson(text);
  if (!json.ok) return { problem: fileProblem(`REPORT ${file}`, json) };
  const markdown = isRecord(json.value) ? json.value['markdown'] : undefined;
  if (typeof markdown !== 'string' || markdown.trim() === '')
    return problem('it has no text of a report under "markdown", as the report.json of a run has');
  if (markdown.length > REPORT_BOUNDS.maxBytes)
    return problem(
      `its text is larger than ${sizeText(REPORT_BOUNDS.maxBytes)}; verify its parts one by one`,
    );
  return { file, realPath, markdown, byteOrderMark: '' };
}
