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

/** Characters besides the numbers in `Page 1 of 3`. */
const MAX_NUMBER_WORDS = 20;

/** Maximum running lines at the top and at the bottom of a page. */
const MAX_RUNNING_LINES = 2;

const PART_SEPARATOR = '\n\n';

const LIGATURES = /[\ufb00-\ufb06]/g;

/** Note numbers after a word or full stop. Exponents follow numbers, units or brackets; in `¹³C` a letter follows. */
const RAISED_NUMBERS =
  /(?<=\p{L}{4}|[.,;:]) ?[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,–⁻-]\s?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)*(?![\p{L}⁰¹²³⁴⁵⁶⁷⁸⁹])/gu;

const BROKEN_WORD = /(\p{L}+)[-‐\u00ad]\n(\p{Ll}+)/gu;

const WORD = /\p{L}+/gu;

const MAX_NAME_CHARS = 120;

const HAS_PAGES = /^(?:page|slide)$/;

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
    fields: {
      ...fields,
      content,
      ...(pages.length === 0 ? {} : { pages }),
      ...(empty > 0 && HAS_PAGES.test(DOCUMENT_FORMATS[format].partNoun) ? { pagesWithoutText: empty } : {}),
    },
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
  const known = new Set(texts.flatMap((text) => text.replace(BROKEN_WORD, '').match(WORD) ?? []));
  return texts.map((text) =>
    text.replace(BROKEN_WORD, (_broken, before: string, behind: string) => joinWord(before, behind, known)),
  );
}

/** The hyphen stays if both halves are known words. */
function joinWord(before: string, behind: string, known: ReadonlySet<string>): string {
  const isOwn = !known.has(before + behind) && known.has(before) && known.has(behind) && behind.length > 3;
  return isOwn ? `${before}-${behind}` : `${before}${behind}`;
}

/** Removes headers, footers and page numbers, which repeat but for the number of the page. */
function removeRunningHeads(pages: readonly string[]): string[] {
  const lines = pages.map((page) => page.split('\n'));
  for (let times = 0; times < MAX_RUNNING_LINES; times += 1)
    for (const edge of [0, -1] as const) dropRunningLines(lines, edge);
  return lines.map((page) => page.join('\n').trim());
}

function dropRunningLines(pages: readonly string[][], edge: 0 | -1): void {
  const heads = pages.map((page, at) => headForms(page.at(edge), at));
  const times = new Map<string, number>();
  for (const form of heads.flat()) times.set(form, (times.get(form) ?? 0) + 1);
  const withText = pages.filter((page) => page.some((line) => line !== '')).length;
  const areCounted = arePageNumbers(pages.map((page) => page.at(edge)?.trim() ?? ''));
  if (withText < MIN_PAGES && !areCounted) return;
  for (const [at, page] of pages.entries()) {
    const least = areCounted ? 1 : Math.max(MIN_PAGES / 2, MIN_HEAD_SHARE * withText);
    if ((heads[at] ?? []).every((form) => (times.get(form) ?? 0) < least)) continue;
    page.splice(edge, 1);
    while (page.length > 0 && page.at(edge)?.trim() === '') page.splice(edge, 1);
  }
}

/** True of `Page 1 of 3`, `Page 2 of 3`, …: short lines that are alike but for one number, which counts the pages. */
function arePageNumbers(lines: readonly string[]): boolean {
  const numbered = lines.flatMap((line, at) => (line === '' ? [] : [{ line, at }]));
  const [first, ...others] = numbered.map(({ line, at }) => ({
    words: line.split(/\d+/),
    numbers: (line.match(/\d+/g) ?? []).map((number) => Number(number) - at),
    fixed: (line.match(/\d+/g) ?? []).map(Number),
  }));
  if (first === undefined || others.length === 0 || first.words.join(' ').length > MAX_NUMBER_WORDS)
    return false;
  const isLike = (one: typeof first): boolean => one.words.join('#') === first.words.join('#');
  const counts = first.numbers.map((number, place) => others.every((one) => one.numbers[place] === number));
  const stays = first.fixed.map((number, place) => others.every((one) => one.fixed[place] === number));
  return (
    others.every(isLike) &&
    counts.filter(Boolean).length === 1 &&
    counts.every((is, place) => is || stays[place])
  );
}

/**
 * Forms of a line in which running heads are alike: the line itself, and the line with one number as its distance from the
 * page's. Other figures that differ belong to the text. None for a line too long for a head.
 */
function headForms(line: string | undefined, page: number): string[] {
  const head = (line ?? '').trim().toLowerCase();
  if (head === '' || head.length > MAX_HEAD_CHARS) return [];
  const counted = [...head.matchAll(/\d+/g)].map(
    ({ 0: number, index }) =>
      `${head.slice(0, index)}#${Number(number) - page}#${head.slice(index + number.length)}`,
  );
  return [head, ...counted];
}
