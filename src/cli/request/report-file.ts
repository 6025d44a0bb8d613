import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ReportFormat } from '../../sources/written-reports/read-report';
import { fileProblem } from './given-text';

/** A report that somebody wrote, as it is read from its file. */
export interface ReportFile {
  /** As it was named. */
  file: string;
  /** Where it really lies, for comparison. */
  realPath: string;
  format: ReportFormat;
  markdown: string;
  /** What its bytes begin with before the text, where that is the Markdown itself. */
  byteOrderMark: '\ufeff' | '';
}

/** Reads what a run left, or anybody's text; or says what is wrong with it. */
export async function readReportFile(file: string, cwd: string): Promise<ReportFile | { problem: string }> {
  if (file.trim() === '') return { problem: 'REPORT is an empty path: name a file.' };
  // What reads pages and tables is loaded by whoever verifies, not by every command.
  const { readReport } = await import('../../sources/written-reports/read-report.js');
  const located = resolve(cwd, file);
  const read = await readReport(located);
  if (!read.ok) return { problem: fileProblem(`REPORT ${file}`, read) };
  const { format, markdown, hasByteOrderMark } = read;
  const byteOrderMark = format === 'Markdown' && hasByteOrderMark ? '\ufeff' : '';
  return { file, realPath: await realpath(located), format, markdown, byteOrderMark };
}
