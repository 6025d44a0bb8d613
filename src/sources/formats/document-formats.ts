import type { ParseDocument } from './parsing/parsed-document';

/** A format whose files are parsed in a process that may die. */
interface ParsedFormat {
  /** In messages: `the PDF is broken`. */
  called: string;
  mediaType: string;
  /** How names of its files end. */
  endings: readonly string[];
  /** What its parts are: what takes too long is named by it. */
  part: string;
  /** What to say, behind how many parts there are, where none has text; a file of many documents says it itself. */
  empty: string;
  load: () => Promise<ParseDocument>;
}

const IMAGES_ONLY = 'no text, only images, it seems; have its text recognised (OCR) first';

/** A new one is a parser in a folder beside this file, a line here, and how its content is told in `tell-format.ts`. */
export const DOCUMENT_FORMATS = {
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
  },
  docx: {
    called: 'Word document',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    endings: ['.docx'],
    part: 'part',
    empty: IMAGES_ONLY,
    load: async () => (await import('./office/parse-docx.js')).parseDocx,
  },
} as const satisfies Record<string, ParsedFormat>;

export type DocumentFormat = keyof typeof DOCUMENT_FORMATS;
export const DOCUMENT_FORMAT_NAMES = Object.keys(DOCUMENT_FORMATS) as DocumentFormat[];
