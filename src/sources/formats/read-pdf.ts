import { basename } from 'node:path';
import { readGivenFile } from '../../platform/given-file';
import { parseRecord } from '../parse-record';
import type { RecordReading } from '../source-reading';
import { joinPages } from './pdf/join-pages';
import { PDF_LIMITS } from './pdf/pdf-limits';
import type { PdfReader } from './pdf/pdf-reader';
import { RECORD_BOUNDS } from './record-bounds';

/** A header stands within so many bytes; some programs write something before it. */
const HEADER_BYTES = 1_024;

type Why = Exclude<Awaited<ReturnType<PdfReader['read']>>, { ok: true }>;

/** The one record of a `.pdf` file: its pages one after the other, each with its place in the content. */
export async function readPdf(file: string, reader: PdfReader): Promise<RecordReading> {
  const given = await readGivenFile(file, RECORD_BOUNDS);
  if (!given.ok) return given;
  const { bytes } = given;
  if (bytes.length === 0) return { ok: false, message: 'the file is empty' };
  if (!bytes.subarray(0, HEADER_BYTES).includes('%PDF-'))
    return {
      ok: false,
      message: 'it is no PDF, whatever its name says; give it with the ending of what it is',
    };
  const read = await reader.read(new Uint8Array(bytes));
  if (!read.ok) return { ok: false, message: whyNot(read) };
  const { content, pages } = joinPages(read.pages);
  const amount = counted(pages.length);
  if (content === '')
    return {
      ok: false,
      message: `its ${amount} ${pages.length === 1 ? 'has' : 'have'} no text, only images, it seems; have its text recognised (OCR) first`,
    };
  const reading = parseRecord({ ...read.metadata, file: basename(file), content, pages });
  const empty = pages.filter(({ start, end }) => start === end).length;
  if (!reading.ok || empty === 0) return reading;
  const remark = `${empty} of its ${amount} ${empty === 1 ? 'has' : 'have'} no text`;
  return { ...reading, remarks: [remark, ...reading.remarks] };
}

function whyNot({ why, pages }: Why): string {
  const most = PDF_LIMITS;
  switch (why) {
    case 'encrypted':
      return 'the PDF is encrypted; save it without a password';
    case 'broken':
      return pages === 0
        ? 'the PDF is broken and cannot be opened; save it anew from what it was made of'
        : `one of the ${counted(pages)} of the PDF is broken; save it anew from what it was made of`;
    case 'too-many-pages':
      return `the PDF has ${counted(pages)}; at most ${most.pages.toLocaleString('en')} are read; split it into parts`;
    case 'too-many-chars':
      return `the PDF has more than ${most.chars.toLocaleString('en')} characters by page ${pages}; split it into parts`;
    case 'too-many-items':
      return `page ${pages} of the PDF has more than ${most.pageItems.toLocaleString('en')} pieces of text, which is no page; save it anew from what it was made of`;
    case 'too-slow-a-page':
      return `page ${pages} of the PDF was not read within ${most.pageMs / 1_000} seconds; save it anew, or without that page`;
    case 'too-slow':
      return `the PDF was not read within ${most.ms / 1_000} seconds; split it into parts, or save it anew`;
    case 'too-large':
      return 'the PDF takes more memory than there is for one; split it into parts, or save it anew';
  }
}

function counted(pages: number): string {
  return `${pages.toLocaleString('en')} ${pages === 1 ? 'page' : 'pages'}`;
}
