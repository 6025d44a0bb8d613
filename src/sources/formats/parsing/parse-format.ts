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
  const { called, load } = DOCUMENT_FORMATS[format];
  const parse = await load();
  try {
    const parsed = await parse(bytes, onPart);
    if (!parsed.ok) return parsed;
    const documents = parsed.documents.map((document) => joined(document, format));
    const isEmpty = documents.length === 1 && documents[0]?.fields.content === '';
    const [only] = parsed.documents;
    return isEmpty && only !== undefined
      ? { ok: false, message: whyEmpty(only, format) }
      : { ok: true, documents };
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
  const part = DOCUMENT_FORMATS[format].part;
  const counted = `${empty} of its ${amountOf(parts.length, part)} ${empty === 1 ? 'has' : 'have'} no text`;
  return {
    fields: { ...fields, content, ...(pages.length === 0 ? {} : { pages }) },
    remarks: empty > 0 && content !== '' ? [counted, ...remarks] : remarks,
  };
}

function whyEmpty({ parts }: ParsedDocument, format: DocumentFormat): string {
  const { part, empty } = DOCUMENT_FORMATS[format];
  return parts.length === 0
    ? `it has ${empty}`
    : `its ${amountOf(parts.length, part)} ${parts.length === 1 ? 'has' : 'have'} ${empty}`;
}
