import { getDocumentProxy, getMeta } from 'unpdf';
import { pageText, type PageItem } from './page-text';
import { PDF_LIMITS } from './pdf-limits';
import { stripUnsafe } from '../../../core/text/untrusted-text';

/** What a PDF holds, or why that cannot be told. */
export type PdfReading =
  | { ok: true; pages: string[]; metadata: PdfMetadata }
  | {
      ok: false;
      why: 'encrypted' | 'broken' | 'too-many-pages' | 'too-many-chars' | 'too-many-items';
      pages: number;
    };

/** A PDF, and where it is told which of its pages is read. */
export interface PdfTask {
  bytes: Uint8Array;
  page: Int32Array;
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type TextContent = Awaited<ReturnType<Awaited<ReturnType<PdfDocument['getPage']>>['getTextContent']>>;

/** The entry point of the thread: reads the bytes of a PDF page by page, and holds one page at a time. */
export default async function readPdfBytes({ bytes, page }: PdfTask): Promise<PdfReading> {
  let pdf: PdfDocument | null = null;
  try {
    // Errors alone: what a PDF lets the library remark is no news for a terminal.
    pdf = await getDocumentProxy(bytes, { verbosity: 0 });
    if (pdf.numPages > PDF_LIMITS.pages) return { ok: false, why: 'too-many-pages', pages: pdf.numPages };
    const pages: string[] = [];
    let chars = 0;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      Atomics.store(page, 0, number);
      const text = await textOfPage(pdf, number);
      if (text === null) return { ok: false, why: 'too-many-items', pages: number };
      chars += text.length;
      if (chars > PDF_LIMITS.chars) return { ok: false, why: 'too-many-chars', pages: number };
      pages.push(text);
    }
    return { ok: true, pages, metadata: pdfMetadata((await getMeta(pdf)).info) };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    return {
      ok: false,
      why: name === 'PasswordException' ? 'encrypted' : 'broken',
      pages: pdf?.numPages ?? 0,
    };
  } finally {
    await pdf?.destroy();
  }
}

/** Null for a page of more pieces than there may be. They are counted as they come: all of them together may have no room. */
async function textOfPage(pdf: PdfDocument, number: number): Promise<string | null> {
  const page = await pdf.getPage(number);
  const items: PageItem[] = [];
  // Its chunks are typed as anything.
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const item of value.items) {
      if (!('str' in item)) continue;
      const [, , c, d, , y] = item.transform as unknown[]; // a matrix of six numbers, which its type leaves open
      const fontSize = Math.hypot(Number(c), Number(d));
      items.push({ text: item.str, y: Number(y), fontSize, endsLine: item.hasEOL });
    }
    if (items.length > PDF_LIMITS.pageItems) return null;
  }
  page.cleanup();
  return pageText(items);
}

/** What a PDF says of itself, where it says something that a reader can use. */
interface PdfMetadata {
  title?: string;
  author?: string;
  publishedAt?: string;
}

const FILE_NAME = /\.[A-Za-z0-9]{2,5}$|[\\/]/;
const DATE = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?/;
const FIRST_YEAR = 1950;
const LAST_YEAR = 2100;

/** Programs write a file's name, or a word of their own, where a title should be: a title has several words, and no path. */
function pdfMetadata(info: Readonly<Record<string, unknown>>): PdfMetadata {
  const title = lineOf(info.Title);
  const author = lineOf(info.Author);
  const publishedAt = dateOf(lineOf(info.CreationDate));
  const isTitle = title.split(' ').length > 1 && /\p{L}{2}/u.test(title) && !FILE_NAME.test(title);
  const isName = /\p{L}{2}/u.test(author) && !FILE_NAME.test(author) && !author.includes('@');
  return {
    ...(isTitle ? { title } : {}),
    ...(isName && author.includes(' ') ? { author } : {}),
    ...(publishedAt === null ? {} : { publishedAt }),
  };
}

function lineOf(value: unknown): string {
  return typeof value === 'string' ? stripUnsafe(value).replace(/\s+/g, ' ').trim() : '';
}

/** `2020-05-04` of `D:20200504120000Z`, or as much of it as there is; null for what is no date. */
function dateOf(value: string): string | null {
  const [, year = '', month, day] = DATE.exec(value) ?? [];
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return null;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  return Number.isNaN(Date.parse(date)) ? year : date;
}
