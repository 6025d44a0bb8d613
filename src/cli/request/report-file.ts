import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readGivenFile } from '../../platform/given-file';
import { decodeUtf8 } from '../../platform/utf8-text';
import { fileProblem } from './given-text';

export interface ReportFile {
  /** As it was named. */
  file: string;
  realPath: string;
  markdown: string;
  byteOrderMark: '\ufeff' | '';
}

/** Each claim is held against sources, which takes some seconds a megabyte; this is half a million words. */
const BOUNDS = { maxBytes: 4 * 1024 * 1024, otherwise: 'verify its parts one by one' };

export async function readReportFile(file: string, cwd: string): Promise<ReportFile | { problem: string }> {
  if (file.trim() === '') return { problem: 'REPORT is an empty path: name a file.' };
  const problem = (given: Parameters<typeof fileProblem>[1]): { problem: string } => ({
    problem: fileProblem(`REPORT ${file}`, given),
  });
  const located = resolve(cwd, file);
  const given = await readGivenFile(located, BOUNDS);
  if (!given.ok) return problem(given);
  const other = otherFormat(given.bytes);
  if (other !== null)
    return problem({ message: `it is ${other}; give the report as Markdown, as “export” writes it` });
  const decoded = decodeUtf8(given.bytes);
  if (!decoded.ok) return problem(decoded);
  const { text: markdown, hasByteOrderMark } = decoded;
  if (markdown.trim() === '') return problem({ message: 'the file is empty' });
  return {
    file,
    realPath: await realpath(located),
    markdown,
    byteOrderMark: hasByteOrderMark ? '\ufeff' : '',
  };
}

function otherFormat(bytes: Buffer): string | null {
  const begin = bytes.toString('latin1', 0, 1_024);
  if (begin.includes('%PDF-')) return 'a PDF';
  if (begin.startsWith('PK\u0003\u0004')) return 'a file of a word processor, or a ZIP';
  if (/^(?:\u00ef\u00bb\u00bf)?\s*(?:<!doctype html|<html)\b/i.test(begin)) return 'a page of HTML';
  return /^(?:\u00ef\u00bb\u00bf)?\s*\{\s*"/.test(begin) ? 'JSON' : null;
}
