import { getDocumentProxy, getMeta } from 'unpdf';
import {
  countText,
  documentMetadata,
  type DocumentPart,
  MAX_DOCUMENT_CHARS,
  MAX_PARTS,
  type Parsed,
} from './parsed-document';

/** Line distance of a new paragraph in font sizes; within a paragraph it is 1.0 to 1.5. */
const PARAGRAPH_GAP = 1.7;

const HEADING_SIZE = 1.15;

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type TextContent = Awaited<ReturnType<Awaited<ReturnType<PdfDocument['getPage']>>['getTextContent']>>;

/** A full page of text has a few thousand pieces. */
const MAX_PIECES = 100_000;

/** Holds one page in memory at a time. */
export async function parsePdf(bytes: Uint8Array, onPart: (page: number) => void): Promise<Parsed> {
  let pdf: PdfDocument | null = null;
  try {
    // Errors only, because the library logs warnings to the terminal.
    pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    return await readPages(pdf, onPart);
  } catch (error) {
    return { ok: false, message: failureMessage(error, pdf?.numPages ?? 0) };
  } finally {
    await pdf?.destroy();
  }
}

async function readPages(pdf: PdfDocument, onPart: (page: number) => void): Promise<Parsed> {
  if (pdf.numPages > MAX_PARTS)
    return unreadable(
      `the PDF has ${countText(pdf.numPages, 'page')}; at most ${MAX_PARTS.toLocaleString('en')} are read; split it into parts`,
    );
  const parts: DocumentPart[] = [];
  let chars = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    onPart(number);
    const text = await textOfPage(pdf, number);
    if (text === null)
      return unreadable(
        `page ${number} of the PDF has more than ${MAX_PIECES.toLocaleString('en')} pieces of text, which is no page; save it anew from what it was made of`,
      );
    chars += text.length;
    if (chars > MAX_DOCUMENT_CHARS)
      return unreadable(
        `the PDF has more than ${MAX_DOCUMENT_CHARS.toLocaleString('en')} characters by page ${number}; split it into parts`,
      );
    parts.push({ text });
  }
  const info: Readonly<Record<string, unknown>> = (await getMeta(pdf)).info;
  const { Title: title, Author: author, CreationDate: created, Language: language } = info;
  const fields = { ...documentMetadata({ title, author, created, language }) };
  return { ok: true, documents: [{ fields, parts, isPaged: true, isSet: true }] };
}

function unreadable(message: string): Parsed {
  return { ok: false, message };
}

function failureMessage(error: unknown, pages: number): string {
  if (error instanceof Error && error.name === 'PasswordException')
    return 'the PDF is encrypted; save it without a password';
  return pages === 0
    ? 'the PDF is broken and cannot be opened; save it anew from what it was made of'
    : `one of the ${countText(pages, 'page')} of the PDF is broken; save it anew from what it was made of`;
}

/** Null for a page with too many pieces, counted while streaming to bound memory. */
async function textOfPage(pdf: PdfDocument, number: number): Promise<string | null> {
  const page = await pdf.getPage(number);
  const items: PageItem[] = [];
  // The library types the chunks as any.
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const item of value.items) {
      if (!('str' in item)) continue;
      const [, , c, d, , y] = item.transform as unknown[]; // a matrix of six numbers, untyped in the library
      const fontSize = Math.hypot(Number(c), Number(d));
      items.push({ text: item.str, y: Number(y), fontSize, endsLine: item.hasEOL });
    }
    if (items.length > MAX_PIECES) return null;
  }
  page.cleanup();
  return pageText(items);
}

/** Coordinates start at the bottom left. */
export interface PageItem {
  text: string;
  y: number;
  fontSize: number;
  endsLine: boolean;
}

interface PageLine {
  text: string;
  y: number;
  fontSize: number;
}

export function pageText(items: readonly PageItem[]): string {
  let text = '';
  let before: PageLine | null = null;
  for (const line of linesOf(items)) {
    if (before !== null) text += isNewParagraph(before, line) ? '\n\n' : '\n';
    text += line.text;
    before = line;
  }
  return text;
}

function linesOf(items: readonly PageItem[]): PageLine[] {
  const lines: PageLine[] = [];
  let open: PageLine | null = null;
  for (const { text, y, fontSize, endsLine } of items) {
    if (text.trim() !== '' && open === null) open = { text: '', y, fontSize };
    if (open !== null) open.text += text;
    if (!endsLine || open === null) continue;
    lines.push(open);
    open = null;
  }
  if (open !== null) lines.push(open);
  return lines
    .map((line) => ({ ...line, text: line.text.replace(/[^\S\n]+/g, ' ').trim() }))
    .filter(({ text }) => text !== '');
}

function isNewParagraph(before: PageLine, line: PageLine): boolean {
  const larger = Math.max(before.fontSize, line.fontSize);
  const smaller = Math.max(1, Math.min(before.fontSize, line.fontSize));
  // A higher line begins another column.
  const gap = before.y - line.y;
  return gap < 0 || gap > PARAGRAPH_GAP * larger || larger / smaller > HEADING_SIZE;
}
