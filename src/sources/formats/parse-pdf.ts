import { getDocumentProxy, getMeta } from 'unpdf';
import { groupBy } from '../../lib/iterables';
import { compactRanges } from '../../report/answer-citations';
import {
  countText,
  documentMetadata,
  type DocumentPart,
  MAX_DOCUMENT_CHARS,
  MAX_PARTS,
  type Parsed,
} from './parsed-document';
import { MAX_IMAGE_PIXELS, pageImage } from './page-images';
import type { PageItem } from './pdf-fragments';
import { pageText } from './pdf-layout';
import {
  createFontRecord,
  type FontRecord,
  recordText,
  showUnmapped,
  UNMAPPED_SIGN,
  unreadableFonts,
} from './pdf-letters';
import { recogniseParts } from './recognise-text';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type TextContent = Awaited<ReturnType<Awaited<ReturnType<PdfDocument['getPage']>>['getTextContent']>>;
type TextItem = Extract<TextContent['items'][number], { str: string }>;

/** A full page of text has a few thousand pieces. */
const MAX_PIECES = 100_000;

/** Nobody can read smaller text: it is hidden. */
const MIN_FONT_SIZE = 1.5;

/** Holds one page in memory at a time. */
export async function parsePdf(bytes: Uint8Array, onPart: (page: number) => void): Promise<Parsed> {
  let pdf: PdfDocument | null = null;
  try {
    // Errors only, because the library logs warnings to the terminal.
    pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, maxImageSize: MAX_IMAGE_PIXELS });
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
  const fonts = createFontRecord();
  let chars = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    onPart(number);
    const text = await textOfPage(pdf, number, fonts);
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
  const { hidden, unread, touched } = unreadableFonts(fonts);
  for (const number of unread) parts[number - 1] = { text: '' };
  for (const number of touched) {
    onPart(number);
    parts[number - 1] = { text: (await textOfPage(pdf, number, null, hidden)) ?? '' };
  }
  const recognised = await recogniseParts(parts, (page) => pageImage(pdf, page), onPart);
  if (!recognised.ok) return unread.length > 0 ? unreadable(fontsMessage(unread)) : recognised;
  const still = unread.filter((number) => recognised.parts[number - 1]?.text.trim() === '');
  if (recognised.parts.every(({ text }) => text.trim() === '') && still.length > 0)
    return unreadable(fontsMessage(still));
  const remarks = [
    ...recognised.remarks,
    ...(still.length > 0 ? [fontsMessage(still)] : []),
    ...unmappedRemark(recognised.parts),
  ];
  const info: Readonly<Record<string, unknown>> = (await getMeta(pdf)).info;
  const { Title: title, Author: author, Language: language } = info;
  const fields = { ...documentMetadata({ title, author, language }) };
  return { ok: true, documents: [{ fields, parts: recognised.parts, remarks, isPaged: true, isSet: true }] };
}

/** For example `the fonts of pages 3 and 5–7 do not say …`. */
function fontsMessage(pages: readonly number[]): string {
  const which = `${pages.length === 1 ? 'page' : 'pages'} ${compactRanges(pages)}`;
  return `the fonts of ${which} do not say which letters their codes stand for; have its text recognised (OCR), or save it anew`;
}

function unmappedRemark(parts: readonly DocumentPart[]): string[] {
  const count = parts.reduce((sum, { text }) => sum + text.split(UNMAPPED_SIGN).length - 1, 0);
  return count === 0
    ? []
    : [
        `${countText(count, 'character')} of fonts that do not say their letters ${count === 1 ? 'is' : 'are'} shown as ${UNMAPPED_SIGN}`,
      ];
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
async function textOfPage(
  pdf: PdfDocument,
  number: number,
  fonts: FontRecord | null,
  hidden: ReadonlySet<string> = new Set(),
): Promise<string | null> {
  const page = await pdf.getPage(number);
  const pieces: Piece[] = [];
  // The library types the chunks as any.
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const item of value.items) {
      if (!('str' in item) || sizeOf(item) < MIN_FONT_SIZE) continue;
      if (fonts !== null) recordText(fonts, number, item.fontName, item.str);
      pieces.push(
        readPiece(
          item,
          hidden.has(item.fontName) && item.str.trim() !== '' ? UNMAPPED_SIGN : showUnmapped(item.str),
        ),
      );
    }
    if (pieces.length > MAX_PIECES) return null;
  }
  page.cleanup();
  return turnedTexts(pieces).join('\n\n');
}

interface Piece extends PageItem {
  /** Direction of the line in degrees, to the next 15; 90 is upwards. */
  angle: number;
}

const ANGLE_STEP = 15;

function sizeOf({ str, transform }: TextItem): number {
  // A matrix of six numbers, untyped in the library.
  const [, , c = 0, d = 0] = (transform as unknown[]).map(Number);
  return str.trim() === '' ? MIN_FONT_SIZE : Math.hypot(c, d);
}

/** Coordinates are turned, so that the line runs from left to right. */
function readPiece({ dir, width, transform }: TextItem, text: string): Piece {
  // A matrix of six numbers, untyped in the library.
  const [a = 0, b = 0, c = 0, d = 0, across = 0, up = 0] = (transform as unknown[]).map(Number);
  const radians = Math.atan2(b, a);
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  return {
    text,
    x: across * cos + up * sin,
    y: up * cos - across * sin,
    width,
    fontSize: Math.hypot(c, d),
    isRightToLeft: dir === 'rtl',
    angle: (Math.round((radians * 180) / Math.PI / ANGLE_STEP) * ANGLE_STEP + 360) % 360,
  };
}

/** The text of the main direction first; a page on its side, or a stamp at its edge, has another. */
function turnedTexts(pieces: readonly Piece[]): string[] {
  const directions = [...groupBy(pieces, ({ angle }) => angle).values()];
  const lengthOf = (group: readonly Piece[]): number =>
    group.reduce((sum, { text }) => sum + text.trim().length, 0);
  return directions
    .sort((one, other) => lengthOf(other) - lengthOf(one))
    .map(pageText)
    .filter((text) => text !== '');
}
