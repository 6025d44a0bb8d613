import { DOCUMENT_FORMAT_NAMES, DOCUMENT_FORMATS, type DocumentFormat } from './document-formats';

export type TextFormat = 'jsonLines' | 'json' | 'text';

export const TEXT_ENDINGS: Readonly<Record<string, TextFormat>> = {
  '.jsonl': 'jsonLines',
  '.json': 'json',
  '.md': 'text',
  '.txt': 'text',
};

/** What a file is; `ending` is unknown where neither its content nor its name tells. */
export type ToldFormat =
  | { ok: true; format: DocumentFormat | TextFormat; remark?: string }
  | { ok: false; why: 'unknown-ending' }
  | { ok: false; why: 'unread'; message: string };

/** A PDF's header stands within so many bytes; some programs write something before it. */
const HEADER_BYTES = 1_024;

/** What may stand before the first element; each comment ends with its first end, or looking for it would take for ever. */
export const BEFORE_ROOT = /^(?:<\?xml[^>]*>|<!--(?:(?!-->)[^])*-->|\s)*/;
const HTML = /^<(?:!doctype\s+html\b|html[\s>]|head[\s>]|body[\s>])/i;
const FEED = /^(?:<!doctype[^>]*>\s*)?<(?:rss|feed|rdf:RDF)[\s>]/i;
const JSON_FEED = /^\s*\{[^]*?"version"\s*:\s*"https:\/\/jsonfeed\.org\/version\//;

const OTHERS: readonly (readonly [RegExp, string])[] = [
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

/** Archives (ZIP) by what they hold: names stand in their directory as they are. */
const ARCHIVES: readonly (readonly [string, DocumentFormat])[] = [
  ['word/document', 'docx'],
  ['ppt/presentation', 'pptx'],
  ['xl/workbook', 'xlsx'],
  ['META-INF/container.xml', 'epub'],
];

/** What a file is by its content; its name decides between kinds of text alone, which have nothing else to tell them apart by. */
export function tellFormat(bytes: Buffer, ending: string): ToldFormat {
  const head = bytes.toString('latin1', 0, HEADER_BYTES).replace(/^\xef\xbb\xbf/, '');
  const told = byContent(bytes, head);
  if (told !== null && typeof told === 'object') return told;
  if (told !== null) return { ok: true, format: told, ...remarkOn(told, ending) };
  const named = DOCUMENT_FORMAT_NAMES.find((name) => endingsOf(name).includes(ending));
  if (named === undefined) {
    const format = TEXT_ENDINGS[ending];
    return format === undefined ? { ok: false, why: 'unknown-ending' } : { ok: true, format };
  }
  const { called, isToldByName = false } = DOCUMENT_FORMATS[named];
  if (bytes.includes(0))
    return unread(`it is no ${called}, whatever its name says; give it with the ending of what it is`);
  if (isToldByName) return { ok: true, format: named };
  return { ok: true, format: 'text', remark: `it is text and no ${called}, whatever its name says` };
}

function byContent(bytes: Buffer, head: string): DocumentFormat | ToldFormat | null {
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return inArchive(bytes);
  const other = OTHERS.find(([signature]) => signature.test(head));
  if (other !== undefined) return unread(`it is ${other[1]}`);
  const root = head.replace(BEFORE_ROOT, '');
  if (HTML.test(root)) return 'html';
  if (FEED.test(root) || JSON_FEED.test(head)) return 'feed';
  return head.includes('%PDF-') ? 'pdf' : null;
}

function inArchive(bytes: Buffer): DocumentFormat | ToldFormat {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + 22 > bytes.length)
    return unread('it is an archive (ZIP), or an Office document, that is cut off; get it anew');
  const directory = bytes.subarray(Math.min(end, bytes.readUInt32LE(end + 16)), end);
  const held = ARCHIVES.find(([name]) => directory.includes(name));
  return held?.[1] ?? unread('it is an archive (ZIP) of something else than a document; unpack it');
}

/** Whoever gave a page for a paper has a login page, perhaps. */
function remarkOn(format: DocumentFormat, ending: string): { remark?: string } {
  const { isOfMany = false } = DOCUMENT_FORMATS[format];
  if (ending === '' || isOfMany || endingsOf(format).includes(ending)) return {};
  return { remark: `it is read as what it is, a ${DOCUMENT_FORMATS[format].called}, whatever its name says` };
}

function endingsOf(format: DocumentFormat): readonly string[] {
  return DOCUMENT_FORMATS[format].endings;
}

function unread(message: string): ToldFormat {
  return { ok: false, why: 'unread', message };
}
