import { append } from '../../../core/values/append';
import { DOCUMENT_FORMATS, type DocumentFormat } from '../document-formats';
import { amountOf } from './amount-of';
import { joinParts } from './join-parts';
import { MOST_CHARS } from './parse-limits';
import {
  type JoinedDocument,
  type JoinedDocuments,
  type ParsedDocument,
  UnfitDocument,
} from './parsed-document';

/** Parses a document of the format and joins its parts; whatever its parser throws is the document's doing. */
export async function parseFormat(
  format: DocumentFormat,
  bytes: Uint8Array,
  onPart: (part: number) => void,
): Promise<JoinedDocuments> {
  const { called, part, load } = DOCUMENT_FORMATS[format];
  const parse = await load();
  try {
    const parsed = await parse(bytes, onPart);
    if (!parsed.ok) return parsed;
    const documents = parsed.documents.map((document) => joined(document, format));
    const filled = documents.filter(({ fields }) => fields.content !== '');
    const [first] = filled;
    if (first === undefined) return { ok: false, message: whyEmpty(parsed.documents, format) };
    append(first.remarks, without(documents.length - filled.length, documents.length, part));
    return { ok: true, documents: filled };
  } catch (error) {
    if (error instanceof UnfitDocument) return { ok: false, message: error.message };
    return {
      ok: false,
      message: `the ${called} is broken and cannot be opened; save it anew from what it was made of`,
    };
  }
}

function joined(document: ParsedDocument, format: DocumentFormat): JoinedDocument {
  const { fields, parts, remarks = [] } = document;
  const { content, pages } = joinParts(document);
  if (content.length > MOST_CHARS)
    throw new UnfitDocument(
      `it has more than ${MOST_CHARS.toLocaleString('en')} characters; split it into parts`,
    );
  const empty = parts.filter(({ text }) => text.trim() === '').length;
  return {
    fields: { ...fields, content, ...(pages.length === 0 ? {} : { pages }) },
    remarks: [...without(empty, parts.length, DOCUMENT_FORMATS[format].part), ...remarks],
  };
}

function without(empty: number, all: number, part: string): string[] {
  if (empty === 0) return [];
  return [
    `${empty.toLocaleString('en')} of its ${amountOf(all, part)} ${empty === 1 ? 'has' : 'have'} no text`,
  ];
}

function whyEmpty(documents: readonly ParsedDocument[], format: DocumentFormat): string {
  const { part, empty, isOfMany = false } = DOCUMENT_FORMATS[format];
  const parts = isOfMany ? documents.length : (documents[0]?.parts.length ?? 0);
  return parts === 0
    ? `it has ${empty}`
    : `its ${amountOf(parts, part)} ${parts === 1 ? 'has' : 'have'} ${empty}`;
}
