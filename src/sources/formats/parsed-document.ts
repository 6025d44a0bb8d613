import type { Page } from '../../contracts/source';
import { stripUnsafe } from '../../lib/untrusted-text';

export interface InputBytes {
  bytes: Buffer;
  /** Extension in lower case with its dot; empty if unknown. */
  extension: string;
  file: string | null;
  explicit: boolean;
}

export interface DocumentPart {
  /** Markdown or plain text; may be empty. */
  text: string;
  /** Such as `slide 4`. Only paged documents cite parts without a name. */
  name?: string;
}

export interface ParsedDocument {
  fields: Record<string, unknown>;
  parts: DocumentPart[];
  isPaged?: boolean;
  /** True if lines break at the page width, as in a PDF: words are hyphenated and running heads occur. */
  isSet?: boolean;
  remarks?: string[];
}

export type Parsed = { ok: true; documents: ParsedDocument[] } | { ok: false; message: string };

/** `onPart` is called before each part, from 1, and identifies parts that take too long. */
export type ParseDocument = (bytes: Uint8Array, onPart: (part: number) => void) => Promise<Parsed> | Parsed;

export interface JoinedDocument {
  fields: Record<string, unknown> & { content: string; pages?: Page[] };
  remarks: string[];
}

export type JoinedDocuments = { ok: true; documents: JoinedDocument[] } | { ok: false; message: string };

/** The message names the fault of the document for the user, such as `it is encrypted; save it without a password`. */
export class UnfitDocument extends Error {}

export const MAX_PARTS = 5_000;
export const MAX_DOCUMENT_CHARS = 20_000_000;
/** Per import, including list entries and addresses. */
export const MAX_SOURCES = 100_000;

interface DocumentMetadata {
  title?: string;
  author?: string;
  language?: string;
}

const FILE_NAME = /\.[A-Za-z0-9]{2,5}$|[\\/]/;

/**
 * Metadata titles are often file names, so a title needs several words and no path. The date on which the file was made is not
 * the date of publication, and is not read.
 */
export function documentMetadata(
  said: Readonly<Record<'title' | 'author' | 'language', unknown>>,
): DocumentMetadata {
  const [title, author, language] = [said.title, said.author, said.language].map(plainLine);
  return {
    ...(isTitle(title) ? { title } : {}),
    ...(isName(author) ? { author } : {}),
    ...(language !== undefined && /^[a-z]{2,3}(?:-\w{2,8})*$/i.test(language) ? { language } : {}),
  };
}

/** For example `1 page`, `5,001 pages`, `3 entries`. */
export function countText(parts: number, partNoun: string): string {
  const plural = partNoun.endsWith('y') ? `${partNoun.slice(0, -1)}ies` : `${partNoun}s`;
  return `${parts.toLocaleString('en')} ${parts === 1 ? partNoun : plural}`;
}

function isTitle(title = ''): boolean {
  return title.split(' ').length > 1 && /\p{L}{2}/u.test(title) && !FILE_NAME.test(title);
}

function isName(author = ''): boolean {
  const isWritten = /\p{L}{2}/u.test(author) && author.includes(' ');
  return isWritten && !FILE_NAME.test(author) && !author.includes('@');
}

function plainLine(value: unknown): string {
  return typeof value === 'string' ? stripUnsafe(value).replace(/\s+/g, ' ').trim() : '';
}
