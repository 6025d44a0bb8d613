import type { AnswerCitation } from '../../contracts/answer/answer';
import { citationsByDocument, type CitedDocument } from '../../core/answer/citations-by-document';
import { safeExcerpt, safeLine } from '../terminal/safe-text';

const NAME_CHARS = 100;
const QUOTE_CHARS = 160;
/** Beside a name. */
const INDENT = '    ';

/** What an answer cites, document by document: each passage with its page and how it begins. */
export function citationLines(citations: readonly AnswerCitation[]): string[] {
  return citationsByDocument(citations).flatMap((document) => [
    `  ${nameOf(document)}`,
    ...document.citations.map(
      (citation) =>
        `${INDENT}[${citation.n}] ${placeOf(citation)}“${safeExcerpt(citation.text, QUOTE_CHARS)}”${multiSource(citation)}`,
    ),
  ]);
}

/** The same in a line for each document: `  [1][3] Its name, p. 3, p. 5-6`. */
export function briefCitationLines(citations: readonly AnswerCitation[]): string[] {
  return citationsByDocument(citations).map((document) => {
    const numbers = document.citations.map(({ n }) => `[${n}]`).join('');
    const pages = new Set(document.citations.map(pagesOf).filter((place) => place !== ''));
    return `  ${numbers} ${[nameOf(document), ...pages].join(', ')}`;
  });
}

function nameOf({ document, title, url }: CitedDocument): string {
  const name = safeExcerpt(document, NAME_CHARS);
  const called = title === '' || title === document ? '' : ` · ${safeExcerpt(title, NAME_CHARS)}`;
  return url === null || url === document ? `${name}${called}` : `${name}${called} · ${safeLine(url)}`;
}

function placeOf(citation: AnswerCitation): string {
  const pages = pagesOf(citation);
  return pages === '' ? '' : `${pages} `;
}

function pagesOf({ pages }: AnswerCitation): string {
  if (pages === null) return '';
  return pages.from === pages.to ? `p. ${pages.from}` : `pp. ${pages.from}-${pages.to}`;
}

function multiSource(citation: AnswerCitation): string {
  return citation.multiSource ? ' · multi-source' : '';
}
