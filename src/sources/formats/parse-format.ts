import type { Page } from '../../contracts/source';
import { append } from '../../lib/iterables';
import { stripUnsafe } from '../../lib/untrusted-text';
import { DOCUMENT_FORMATS, type DocumentFormat } from './document-formats';
import {
  amountOf,
  type JoinedDocument,
  type JoinedDocuments,
  MOST_CHARS,
  type ParsedDocument,
  UnfitDocument,
} from './parsed-document';

const LEAST_PAGES = 4;

/** Left and right pages differ, so each running head appears on about half of them. */
const LEAST_SHARE = 0.4;

/** Longer lines are content, such as a sentence on each page of a form. */
const LONGEST_HEAD = 120;

/** Maximum running lines at the top and at the bottom of a page. */
const MOST_LINES = 2;

const BETWEEN = '\n\n';

const LIGATURES = /[\ufb00-\ufb06]/g;

/** Note numbers after a word or full stop. Exponents follow numbers, units or brackets. */
const RAISED_NUMBERS = /(?<=\p{L}{4}|[.,;:])[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,–-]\s?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)*/gu;

const BROKEN_WORD = /(\p{L}+)[-‐\u00ad]\n(\p{Ll}+)/gu;

const WORD = /\p{L}+/gu;

const LONGEST_NAME = 120;

/** Errors of the parser are reported as faults of the document. */
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

/** All clean-up happens here, so that quotes match the stored text. */
export function joinParts({ parts, isPaged = false, isSet = false }: ParsedDocument): {
  content: string;
  pages: Page[];
} {
  const visible = parts.map(({ text }) =>
    stripUnsafe(text.replace(/\u00ad(?!\n)/g, ''))
      .replace(LIGATURES, apart)
      .replace(RAISED_NUMBERS, '')
      .trim(),
  );
  const texts = isSet ? wholeWords(withoutRunningHeads(visible)) : visible;
  const pages: Page[] = [];
  let content = '';
  for (const [at, text] of texts.entries()) {
    if (text !== '' && content !== '') content += BETWEEN;
    const start = content.length;
    content += text;
    const name = nameOf(parts[at]?.name);
    if (isPaged || name !== null)
      pages.push({ number: at + 1, start, end: content.length, ...(name === null ? {} : { name }) });
  }
  return { content, pages };
}

function nameOf(name = ''): string | null {
  const line = stripUnsafe(name).replace(/\s+/g, ' ').trim();
  return (line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line) || null;
}

function apart(ligature: string): string {
  return ligature.normalize('NFKC');
}

function wholeWords(texts: readonly string[]): string[] {
  const known = new Set(texts.flatMap((text) => text.match(WORD) ?? []));
  return texts.map((text) =>
    text.replace(BROKEN_WORD, (_broken, before: string, behind: string) => joinedWord(before, behind, known)),
  );
}

/** The hyphen stays if both halves are known words. */
function joinedWord(before: string, behind: string, known: ReadonlySet<string>): string {
  const isOwn = !known.has(before + behind) && known.has(before) && known.has(behind) && behind.length > 3;
  return isOwn ? `${before}-${behind}` : `${before}${behind}`;
}

/** Removes headers, footers and page numbers that repeat except for their numbers. */
function withoutRunningHeads(pages: readonly string[]): string[] {
  const lines = pages.map((page) => page.split('\n'));
  for (let times = 0; times < MOST_LINES; times += 1)
    for (const edge of [0, -1] as const) dropRunning(lines, edge);
  return lines.map((page) => page.join('\n').trim());
}

function dropRunning(pages: readonly string[][], edge: 0 | -1): void {
  const heads = pages.map((page) => headOf(page.at(edge)));
  const times = new Map<string, number>();
  for (const head of heads) if (head !== null) times.set(head, (times.get(head) ?? 0) + 1);
  const withText = pages.filter((page) => page.some((line) => line !== '')).length;
  if (withText < LEAST_PAGES) return;
  for (const [at, page] of pages.entries()) {
    const head = heads[at] ?? null;
    if (head === null || (times.get(head) ?? 0) < Math.max(LEAST_PAGES / 2, LEAST_SHARE * withText)) continue;
    page.splice(edge, 1);
    while (page.length > 0 && page.at(edge)?.trim() === '') page.splice(edge, 1);
  }
}

/** The line with `#` for numbers. */
function headOf(line: string | undefined): string | null {
  const head = (line ?? '').trim();
  return head === '' || head.length > LONGEST_HEAD ? null : head.replace(/\d+/g, '#').toLowerCase();
}
