import type { Page } from '../../../contracts/source/source';

export interface GivenBytes {
  bytes: Buffer;
  /** How the name ends that they have, in lower case and with its dot; empty where they have none. */
  ending: string;
  /** The file's name, which they are cited by; null for what is no file. */
  file: string | null;
  /** Whether the user named them, not a folder that they are in. */
  explicit: boolean;
}

/** A part of a document that a citation can name: a page, a slide, a chapter, a row of a sheet. */
export interface DocumentPart {
  /** Markdown or plain text; empty where the part has none. */
  text: string;
  /** What it is called, such as `slide 4`; a part without a name is cited by its number where parts are pages, and not by itself otherwise. */
  name?: string;
}

export interface ParsedDocument {
  fields: Record<string, unknown>;
  parts: DocumentPart[];
  isPaged?: boolean;
  /** Whether a line ends where the paper does, as in a PDF: words are broken there, and running heads stand between. */
  isSet?: boolean;
  remarks?: string[];
}

/** What comes of a file: the documents in it, or what is wrong with it and what to do, as the rest of a sentence that begins with its name. */
export type Parsed = { ok: true; documents: ParsedDocument[] } | { ok: false; message: string };

/** Parses one format. `onPart` is told of each part before it is read, from 1: what takes too long is named by it. */
export type ParseDocument = (bytes: Uint8Array, onPart: (part: number) => void) => Promise<Parsed> | Parsed;

export interface JoinedDocument {
  fields: Record<string, unknown> & { content: string; pages?: Page[] };
  remarks: string[];
}

export type JoinedDocuments = { ok: true; documents: JoinedDocument[] } | { ok: false; message: string };

export class UnfitDocument extends Error {}
