import type { ParseDocument } from './parsing/parsed-document';

interface ParsedFormat {
  /** In messages: `the PDF is broken`. */
  called: string;
  mediaType: string;
  endings: readonly string[];
  /** What its parts are: what takes too long is named by it. */
  part: string;
  /** What to say, behind how many parts there are, where none has text; a file of many documents says it itself. */
  empty: string;
  load: () => Promise<ParseDocument>;
  /** Whether a file holds many sources, so that its name is the title of none. */
  isOfMany?: true;
  /** Whether its files are text that only their name tells from other text. */
  isToldByName?: true;
}

const IMAGES_ONLY = 'no text, only images, it seems; have its text recognised (OCR) first';

/** A new one is a parser in a folder beside this file, a line here, and how its content is told in `tell-format.ts`. */
const FORMATS = {
  pdf: {
    called: 'PDF',
    mediaType: 'application/pdf',
    endings: ['.pdf'],
    part: 'page',
    empty: IMAGES_ONLY,
    load: async () => (await import('./pdf/parse-pdf.js')).parsePdf,
  },
  html: {
    called: 'page',
    mediaType: 'text/html',
    endings: ['.html', '.htm', '.xhtml'],
    part: 'part',
    empty: 'no text; where scripts write it, save the page from a browser as it is shown',
    load: async () => (await import('./html/parse-html.js')).parseHtmlDocument,
    isToldByName: true,
  },
  docx: {
    called: 'Word document',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    endings: ['.docx'],
    part: 'part',
    empty: IMAGES_ONLY,
    load: async () => (await import('./office/parse-docx.js')).parseDocx,
  },
  pptx: {
    called: 'presentation',
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    endings: ['.pptx'],
    part: 'slide',
    empty: IMAGES_ONLY,
    load: async () => (await import('./office/parse-pptx.js')).parsePptx,
  },
  xlsx: {
    called: 'workbook',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    endings: ['.xlsx'],
    part: 'sheet',
    empty: 'no text',
    load: async () => (await import('./office/parse-xlsx.js')).parseXlsx,
  },
  csv: {
    called: 'table',
    mediaType: 'text/csv',
    endings: ['.csv', '.tsv'],
    part: 'row',
    empty: 'no text',
    load: async () => (await import('./table/parse-csv.js')).parseCsv,
    isToldByName: true,
  },
  epub: {
    called: 'book',
    mediaType: 'application/epub+zip',
    endings: ['.epub'],
    part: 'chapter',
    empty: IMAGES_ONLY,
    load: async () => (await import('./epub/parse-epub.js')).parseEpub,
  },
  feed: {
    called: 'feed',
    mediaType: 'application/feed+xml',
    endings: ['.rss', '.atom'],
    part: 'entry',
    empty: 'no text',
    load: async () => (await import('./feed/parse-feed.js')).parseFeed,
    isOfMany: true,
  },
} satisfies Record<string, ParsedFormat>;

export type DocumentFormat = keyof typeof FORMATS;
export const DOCUMENT_FORMATS: Readonly<Record<DocumentFormat, ParsedFormat>> = FORMATS;
export const DOCUMENT_FORMAT_NAMES = Object.keys(FORMATS) as DocumentFormat[];
