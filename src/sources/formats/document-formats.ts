import type { FileBounds } from '../../lib/files';
import type { ParseDocument } from './parsed-document';
import { utf16Encoding } from './text-encoding';

/**
 * The nouns and the reason are parts of messages: `its 3 sheets have no text` has a `partNoun` and an `emptyReason`,
 * `the workbook was not read within 120 seconds` has a `noun`.
 */
interface ParsedFormat {
  noun: string;
  mediaType: string;
  /** In lower case, with the dot. */
  extensions: readonly string[];
  partNoun: string;
  emptyReason: string;
  load: () => Promise<ParseDocument>;
  /** True if a file holds many sources, so its name is no title. */
  isOfMany?: true;
  /** True if a text file has this format whenever its extension says so. */
  extensionDecides?: true;
  /** True if folders are not searched for files of this format. */
  onlyNamed?: true;
}

const IMAGES_ONLY = 'no text, only images, it seems; have its text recognised (OCR) first';

const FORMATS = {
  pdf: {
    noun: 'PDF',
    mediaType: 'application/pdf',
    extensions: ['.pdf'],
    partNoun: 'page',
    emptyReason: 'no text',
    load: async () => (await import('./parse-pdf.js')).parsePdf,
  },
  html: {
    noun: 'page',
    mediaType: 'text/html',
    extensions: ['.html', '.htm', '.xhtml'],
    partNoun: 'part',
    emptyReason: 'no text; where scripts write it, save the page from a browser as it is shown',
    load: async () => (await import('./parse-html.js')).parseHtmlDocument,
    extensionDecides: true,
  },
  docx: {
    noun: 'Word document',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extensions: ['.docx'],
    partNoun: 'part',
    emptyReason: IMAGES_ONLY,
    load: async () => (await import('./parse-docx.js')).parseDocx,
  },
  pptx: {
    noun: 'presentation',
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    extensions: ['.pptx'],
    partNoun: 'slide',
    emptyReason: IMAGES_ONLY,
    load: async () => (await import('./parse-pptx.js')).parsePptx,
  },
  xlsx: {
    noun: 'workbook',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensions: ['.xlsx'],
    partNoun: 'sheet',
    emptyReason: 'no text',
    load: async () => (await import('./parse-xlsx.js')).parseXlsx,
  },
  csv: {
    noun: 'table',
    mediaType: 'text/csv',
    extensions: ['.csv', '.tsv'],
    partNoun: 'row',
    emptyReason: 'no text',
    load: async () => (await import('./parse-csv.js')).parseCsv,
    extensionDecides: true,
  },
  epub: {
    noun: 'book',
    mediaType: 'application/epub+zip',
    extensions: ['.epub'],
    partNoun: 'chapter',
    emptyReason: IMAGES_ONLY,
    load: async () => (await import('./parse-epub.js')).parseEpub,
  },
  feed: {
    noun: 'feed',
    mediaType: 'application/feed+xml',
    extensions: ['.rss', '.atom'],
    partNoun: 'entry',
    emptyReason: 'no text',
    load: async () => (await import('./parse-feed.js')).parseFeed,
    isOfMany: true,
  },
  image: {
    noun: 'picture',
    mediaType: 'image/png',
    extensions: ['.png', '.jpg', '.jpeg', '.tif', '.tiff', '.webp', '.gif'],
    partNoun: 'part',
    emptyReason: 'no text',
    load: async () => (await import('./parse-image.js')).parseImage,
    onlyNamed: true,
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
  | { ok: false; why: 'unknown-extension' }
  | { ok: false; why: 'unreadable'; message: string };

/** Some programs write bytes before the PDF header. */
const HEADER_BYTES = 1_024;

/** The comment pattern stops at the first end, which avoids quadratic matching. */
export const BEFORE_ROOT = /^(?:<\?xml[^>]*>|<!--(?:(?!-->)[^])*-->|\s)*/;
const HTML = /^<(?:!doctype\s+html\b|html[\s>]|head[\s>]|body[\s>])/i;
const FEED = /^(?:<!doctype[^>]*>\s*)?<(?:rss|feed|rdf:RDF)[\s>]/i;
const JSON_FEED = /^\s*\{[^]*?"version"\s*:\s*"https:\/\/jsonfeed\.org\/version\//;

const IMAGE = /^(?:\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|RIFF[^]{4}WEBP)/;

const UNSUPPORTED_SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [
    /^\xd0\xcf\x11\xe0/,
    'a file of an old Office, or an encrypted one; save it as .docx, .pptx or .xlsx, without a password',
  ],
  [/^\{\\rtf/, 'a file in RTF; save it as .docx'],
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
export function detectFormat(bytes: Buffer, extension: string): DetectedFormat {
  const head = bytes.toString('latin1', 0, HEADER_BYTES).replace(/^\xef\xbb\xbf/, '');
  const detected = detectByContent(bytes, head);
  if (detected !== null && typeof detected === 'object') return detected;
  if (detected !== null) return { ok: true, format: detected, ...extensionRemark(detected, extension) };
  const claimed = DOCUMENT_FORMAT_NAMES.find(
    (name) => name !== 'image' && extensionsOf(name).includes(extension),
  );
  if (claimed === undefined) {
    const format = TEXT_EXTENSIONS[extension];
    return format === undefined ? { ok: false, why: 'unknown-extension' } : { ok: true, format };
  }
  const { noun, extensionDecides = false } = DOCUMENT_FORMATS[claimed];
  if (bytes.includes(0) && utf16Encoding(bytes) === null)
    return unreadable(`it is no ${noun}, whatever its name says; give it with the ending of what it is`);
  if (extensionDecides) return { ok: true, format: claimed };
  return { ok: true, format: 'text', remark: `it is text and no ${noun}, whatever its name says` };
}

function detectByContent(bytes: Buffer, head: string): DocumentFormat | DetectedFormat | null {
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return detectInArchive(bytes);
  if (IMAGE.test(head)) return 'image';
  const unsupported = UNSUPPORTED_SIGNATURES.find(([signature]) => signature.test(head));
  if (unsupported !== undefined) return unreadable(`it is ${unsupported[1]}`);
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
  const archive = ARCHIVES.find(([name]) => directory.includes(name));
  return archive?.[1] ?? unreadable('it is an archive (ZIP) of something else than a document; unpack it');
}

/** For example a login page that was saved instead of a paper. */
function extensionRemark(format: DocumentFormat, extension: string): { remark?: string } {
  const { isOfMany = false } = DOCUMENT_FORMATS[format];
  if (extension === '' || isOfMany || extensionsOf(format).includes(extension)) return {};
  return { remark: `it is read as what it is, a ${DOCUMENT_FORMATS[format].noun}, whatever its name says` };
}

function extensionsOf(format: DocumentFormat): readonly string[] {
  return DOCUMENT_FORMATS[format].extensions;
}

function unreadable(message: string): DetectedFormat {
  return { ok: false, why: 'unreadable', message };
}

/** About 30,000 pages. */
export const RECORD_BOUNDS: FileBounds = {
  maxBytes: 64 * 1024 * 1024,
  otherwise: 'split it into several files',
};

/** Reading of a file of lines stops after this number of bad records. */
export const MAX_PROBLEMS = 10_000;
