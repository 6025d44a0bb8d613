import type { Page } from '../../contracts/source';
import { append } from '../../lib/iterables';
import { stripUnsafe } from '../../lib/untrusted-text';
import { DOCUMENT_FORMATS, type DocumentFormat } from './document-formats';
import {
  countText,
  type JoinedDocument,
  type JoinedDocuments,
  MAX_DOCUMENT_CHARS,
  type ParsedDocument,
  UnfitDocument,
} from './parsed-document';

const MIN_PAGES = 4;

/** Left and right pages differ, so each running head appears on about half of them. */
const MIN_HEAD_SHARE = 0.4;

/** Longer lines are content, such as a sentence on each page of a form. */
const MAX_HEAD_CHARS = 120;

/** Maximum running lines at the top and at the bottom of a page. */
const MAX_RUNNING_LINES = 2;

const PART_SEPARATOR = '\n\n';

const LIGATURES = /[\ufb00-\ufb06]/g;

/** Note numbers after a word or full stop. Exponents follow numbers, units or brackets. */
const RAISED_NUMBERS = /(?<=\p{L}{4}|[.,;:])[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,–-]\s?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)*/gu;

const BROKEN_WORD = /(\p{L}+)[-‐\u00ad]\n(\p{Ll}+)/gu;

const WORD = /\p{L}+/gu;

const MAX_NAME_CHARS = 120;

/** Errors of the parser are reported as faults of the document. */
export async function parseFormat(
  format: DocumentFormat,
  bytes: Uint8Array,
  onPart: (part: number) => void,
): Promise<JoinedDocuments> {
  const { noun, partNoun, load } = DOCUMENT_FORMATS[format];
  const parse = await load();
  try {
    const parsed = await parse(bytes, onPart);
    if (!parsed.ok) return parsed;
    const documents = parsed.documents.map((document) => joinDocument(document, format));
    const filled = documents.filter(({ fields }) => fields.content !== '');
    const [first] = filled;
    if (first === undefined) return { ok: false, message: emptyMessage(parsed.documents, format) };
    append(first.remarks, emptyPartsRemark(documents.length - filled.length, documents.length, partNoun));
    return { ok: true, documents: filled };
  } catch (error) {
    if (error instanceof UnfitDocument) return { ok: false, message: error.message };
    return {
      ok: false,
      message: `the ${noun} is broken and cannot be opened; save it anew from what it was made of`,
    };
  }
}

function joinDocument(document: ParsedDocument, format: DocumentFormat): JoinedDocument {
  const { fields, parts, remarks = [] } = document;
  const { content, pages } = joinParts(document);
  if (content.length > MAX_DOCUMENT_CHARS)
    throw new UnfitDocument(
      `it has more than ${MAX_DOCUMENT_CHARS.toLocaleString('en')} characters; split it into parts`,
    );
  const empty = parts.filter(({ text }) => text.trim() === '').length;
  return {
    fields: { ...fields, content, ...(pages.length === 0 ? {} : { pages }) },
    remarks: [...emptyPartsRemark(empty, parts.length, DOCUMENT_FORMATS[format].partNoun), ...remarks],
  };
}

function emptyPartsRemark(empty: number, all: number, partNoun: string): string[] {
  if (empty === 0) return [];
  return [
    `${empty.toLocaleString('en')} of its ${countText(all, partNoun)} ${empty === 1 ? 'has' : 'have'} no text`,
  ];
}

function emptyMessage(documents: readonly ParsedDocument[], format: DocumentFormat): string {
  const { partNoun, emptyReason, isOfMany = false } = DOCUMENT_FORMATS[format];
  const parts = isOfMany ? documents.length : (documents[0]?.parts.length ?? 0);
  return parts === 0
    ? `it has ${emptyReason}`
    : `its ${countText(parts, partNoun)} ${parts === 1 ? 'has' : 'have'} ${emptyReason}`;
}

/** All clean-up happens here, so that quotes match the stored text. */
export function joinParts({ parts, isPaged = false, isSet = false }: ParsedDocument): {
  content: string;
  pages: Page[];
} {
  const visible = parts.map(({ text }) =>
    stripUnsafe(text.replace(/\u00ad(?!\n)/g, ''))
      .replace(LIGATURES, splitLigature)
      .replace(RAISED_NUMBERS, '')
      .trim(),
  );
  const texts = isSet ? joinHyphenatedWords(removeRunningHeads(visible)) : visible;
  const pages: Page[] = [];
  let content = '';
  for (const [at, text] of texts.entries()) {
    if (text !== '' && content !== '') content += PART_SEPARATOR;
    const start = content.length;
    content += text;
    const name = partName(parts[at]?.name);
    if (isPaged || name !== null)
      pages.push({ number: at + 1, start, end: content.length, ...(name === null ? {} : { name }) });
  }
  return { content, pages };
}

function partName(name = ''): string | null {
  const line = stripUnsafe(name).replace(/\s+/g, ' ').trim();
  return (line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS - 1)}…` : line) || null;
}

function splitLigature(ligature: string): string {
  return ligature.normalize('NFKC');
}

function joinHyphenatedWords(texts: readonly string[]): string[] {
  const known = new Set(texts.flatMap((text) => text.match(WORD) ?? []));
  return texts.map((text) =>
    text.replace(BROKEN_WORD, (_broken, before: string, behind: string) => joinWord(before, behind, known)),
  );
}

/** The hyphen stays if both halves are known words. */
function joinWord(before: string, behind: string, known: ReadonlySet<string>): string {
  const isOwn = !known.has(before + behind) && known.has(before) && known.has(behind) && behind.length > 3;
  return isOwn ? `${before}-${behind}` : `${before}${behind}`;
}

/** Removes headers, footers and page numbers that repeat except for their numbers. */
function removeRunningHeads(pages: readonly string[]): string[] {
  const lines = pages.map((page) => page.split('\n'));
  for (let times = 0; times < MAX_RUNNING_LINES; times += 1)
    for (const edge of [0, -1] as const) dropRunningLines(lines, edge);
  return lines.map((page) => page.join('\n').trim());
}

function dropRunningLines(pages: readonly string[][], edge: 0 | -1): void {
  const heads = pages.map((page) => normaliseHead(page.at(edge)));
  const times = new Map<string, number>();
  for (const head of heads) if (head !== null) times.set(head, (times.get(head) ?? 0) + 1);
  const withText = pages.filter((page) => page.some((line) => line !== '')).length;
  if (withText < MIN_PAGES) return;
  for (const [at, page] of pages.entries()) {
    const head = heads[at] ?? null;
    if (head === null || (times.get(head) ?? 0) < Math.max(MIN_PAGES / 2, MIN_HEAD_SHARE * withText))
      continue;
    page.splice(edge, 1);
    while (page.length > 0 && page.at(edge)?.trim() === '') page.splice(edge, 1);
  }
}

/** The line with `#` for numbers. */
function normaliseHead(line: string | undefined): string | null {
  const head = (line ?? '').trim();
  return head === '' || head.length > MAX_HEAD_CHARS ? null : head.replace(/\d+/g, '#').toLowerCase();
}
