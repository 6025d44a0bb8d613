import type { FileBounds } from '../../lib/files';
import type { ParseDocument } from './parsed-document';

interface ParsedFormat {
  called: string;
  mediaType: string;
  endings: readonly string[];
  part: string;
  /** End of the message for documents without text. */
  empty: string;
  load: () => Promise<ParseDocument>;
  /** True if a file holds many sources, so its name is no title. */
  isOfMany?: true;
  /** True for text formats that only the file name identifies. */
  isToldByName?: true;
}

const IMAGES_ONLY = 'no text, only images, it seems; have its text recognised (OCR) first';

const FORMATS = {
  pdf: {
    called: 'PDF',
    mediaType: 'application/pdf',
    endings: ['.pdf'],
    part: 'page',
    empty: IMAGES_ONLY,
    load: async () => (await import('./parse-pdf.js')).parsePdf,
  },
  html: {
    called: 'page',
    mediaType: 'text/html',
    endings: ['.html', '.htm', '.xhtml'],
    part: 'part',
    empty: 'no text; where scripts write it, save the page from a browser as it is shown',
    load: async () => (await import('./parse-html.js')).parseHtmlDocument,
    isToldByName: true,
  },
  docx: {
    called: 'Word document',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    endings: ['.docx'],
    part: 'part',
    empty: IMAGES_ONLY,
    load: async () => (await import('./parse-docx.js')).parseDocx,
  },
  pptx: {
    called: 'presentation',
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    endings: ['.pptx'],
    part: 'slide',
    empty: IMAGES_ONLY,
    load: async () => (await import('./parse-pptx.js')).parsePptx,
  },
  xlsx: {
    called: 'workbook',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    endings: ['.xlsx'],
    part: 'sheet',
    empty: 'no text',
    load: async () => (await import('./parse-xlsx.js')).parseXlsx,
  },
  csv: {
    called: 'table',
    mediaType: 'text/csv',
    endings: ['.csv', '.tsv'],
    part: 'row',
    empty: 'no text',
    load: async () => (await import('./parse-csv.js')).parseCsv,
    isToldByName: true,
  },
  epub: {
    called: 'book',
    mediaType: 'application/epub+zip',
    endings: ['.epub'],
    part: 'chapter',
    empty: IMAGES_ONLY,
    load: async () => (await import('./parse-epub.js')).parseEpub,
  },
  feed: {
    called: 'feed',
    mediaType: 'application/feed+xml',
    endings: ['.rss', '.atom'],
    part: 'entry',
    empty: 'no text',
    load: async () => (await import('./parse-feed.js')).parseFeed,
    isOfMany: true,
  },
} satisfies Record<string, ParsedFormat>;

export type DocumentFormat = keyof typeof FORMATS;
export const DOCUMENT_FORMATS: Readonly<Record<DocumentFormat, ParsedFormat>> = FORMATS;
export const DOCUMENT_FORMAT_NAMES = Object.keys(FORMATS) as DocumentFormat[];

export type TextFormat = 'jsonLines' | 'json' | 'text';

export const TEXT_EXTENSIONS: Readonly<Record<string, TextFormat>> = {
  '.jsonl': 'jsonLines',
  '.json': 'json',
  '.md': 'text',
  '.txt': 'text',
};

export type DetectedFormat =
  | { ok: true; format: DocumentFormat | TextFormat; remark?: string }
  | { ok: false; why: 'unknown-ending' }
  | { ok: false; why: 'unread'; message: string };

/** Some programs write bytes before the PDF header. */
const HEADER_BYTES = 1_024;

/** The comment pattern stops at the first end, which avoids quadratic matching. */
export const BEFORE_ROOT = /^(?:<\?xml[^>]*>|<!--(?:(?!-->)[^])*-->|\s)*/;
const HTML = /^<(?:!doctype\s+html\b|html[\s>]|head[\s>]|body[\s>])/i;
const FEED = /^(?:<!doctype[^>]*>\s*)?<(?:rss|feed|rdf:RDF)[\s>]/i;
const JSON_FEED = /^\s*\{[^]*?"version"\s*:\s*"https:\/\/jsonfeed\.org\/version\//;

const UNSUPPORTED_SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [
    /^\xd0\xcf\x11\xe0/,
    'a file of an old Office, or an encrypted one; save it as .docx, .pptx or .xlsx, without a password',
  ],
  [/^\{\\rtf/, 'a file in RTF; save it as .docx'],
  [
    /^(?:\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|RIFF[^]{4}WEBP)/,
    'an image; have its text recognised (OCR) first',
  ],
  [/^(?:\x1f\x8b|7z\xbc\xaf|Rar!|BZh|\xfd7zXZ)/, 'an archive; unpack it'],
];

/** Names are stored uncompressed in the ZIP directory. */
const ARCHIVES: readonly (readonly [string, DocumentFormat])[] = [
  ['word/document', 'docx'],
  ['ppt/presentation', 'pptx'],
  ['xl/workbook', 'xlsx'],
  ['META-INF/container.xml', 'epub'],
];

/** Detects the format by content. The extension only decides between kinds of text. */
export function detectFormat(bytes: Buffer, ending: string): DetectedFormat {
  const head = bytes.toString('latin1', 0, HEADER_BYTES).replace(/^\xef\xbb\xbf/, '');
  const told = detectByContent(bytes, head);
  if (told !== null && typeof told === 'object') return told;
  if (told !== null) return { ok: true, format: told, ...extensionRemark(told, ending) };
  const named = DOCUMENT_FORMAT_NAMES.find((name) => extensionsOf(name).includes(ending));
  if (named === undefined) {
    const format = TEXT_EXTENSIONS[ending];
    return format === undefined ? { ok: false, why: 'unknown-ending' } : { ok: true, format };
  }
  const { called, isToldByName = false } = DOCUMENT_FORMATS[named];
  if (bytes.includes(0))
    return unreadable(`it is no ${called}, whatever its name says; give it with the ending of what it is`);
  if (isToldByName) return { ok: true, format: named };
  return { ok: true, format: 'text', remark: `it is text and no ${called}, whatever its name says` };
}

function detectByContent(bytes: Buffer, head: string): DocumentFormat | DetectedFormat | null {
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return detectInArchive(bytes);
  const other = UNSUPPORTED_SIGNATURES.find(([signature]) => signature.test(head));
  if (other !== undefined) return unreadable(`it is ${other[1]}`);
  const root = head.replace(BEFORE_ROOT, '');
  if (HTML.test(root)) return 'html';
  if (FEED.test(root) || JSON_FEED.test(head)) return 'feed';
  return head.includes('%PDF-') ? 'pdf' : null;
}

function detectInArchive(bytes: Buffer): DocumentFormat | DetectedFormat {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + 22 > bytes.length)
    return unreadable('it is an archive (ZIP), or an Office document, that is cut off; get it anew');
  const directory = bytes.subarray(Math.min(end, bytes.readUInt32LE(end + 16)), end);
  const held = ARCHIVES.find(([name]) => directory.includes(name));
  return held?.[1] ?? unreadable('it is an archive (ZIP) of something else than a document; unpack it');
}

/** For example a login page that was saved instead of a paper. */
function extensionRemark(format: DocumentFormat, ending: string): { remark?: string } {
  const { isOfMany = false } = DOCUMENT_FORMATS[format];
  if (ending === '' || isOfMany || extensionsOf(format).includes(ending)) return {};
  return { remark: `it is read as what it is, a ${DOCUMENT_FORMATS[format].called}, whatever its name says` };
}

function extensionsOf(format: DocumentFormat): readonly string[] {
  return DOCUMENT_FORMATS[format].endings;
}

function unreadable(message: string): DetectedFormat {
  return { ok: false, why: 'unread', message };
}

/** About 30,000 pages. */
export const RECORD_BOUNDS: FileBounds = {
  maxBytes: 64 * 1024 * 1024,
  otherwise: 'split it into several files',
};

/** Reading of a file of lines stops after this number of bad records. */
export const MAX_PROBLEMS = 10_000;
