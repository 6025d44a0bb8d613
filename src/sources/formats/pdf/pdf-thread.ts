import { getDocumentProxy, getMeta } from 'unpdf';
import { pageText } from './page-text';
import { pdfMetadata, type PdfMetadata } from './pdf-metadata';
import { PDF_LIMITS } from './pdf-limits';

/** What a PDF holds, or why that cannot be told. */
export type PdfReading =
  | { ok: true; pages: string[]; metadata: PdfMetadata }
  | { ok: false; why: 'encrypted' | 'broken' | 'too-many-pages' | 'too-many-chars'; pages: number };

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The entry point of the thread: reads the bytes of a PDF page by page, and holds one page at a time. */
export default async function readPdfBytes(bytes: Uint8Array): Promise<PdfReading> {
  let pdf: PdfDocument | null = null;
  try {
    // Errors alone: what a PDF lets the library remark is no news for a terminal.
    pdf = await getDocumentProxy(bytes, { verbosity: 0 });
    if (pdf.numPages > PDF_LIMITS.pages) return { ok: false, why: 'too-many-pages', pages: pdf.numPages };
    const pages: string[] = [];
    let chars = 0;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const text = await textOfPage(pdf, number);
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

async function textOfPage(pdf: PdfDocument, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const text = pageText(
    items.flatMap((item) => {
      if (!('str' in item)) return [];
      const [, , c, d, , y] = item.transform as unknown[]; // a matrix of six numbers, which its type leaves open
      const fontSize = Math.hypot(Number(c), Number(d));
      return [{ text: item.str, y: Number(y), fontSize, endsLine: item.hasEOL }];
    }),
  );
  page.cleanup();
  return text;
}
