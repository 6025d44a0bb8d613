import { answerTexts } from '../texts/answer';
import type { AnswerPassage, PageRange } from '../contracts/answer/answer-passage';
import type { AnswerCitationStyle } from '../contracts/answer/answer-settings';
import { citationUrl } from '../core/report/citation-url';
import { escapeWithinLine } from '../core/text/untrusted-text';
import { pageNumbers, passageLabel } from './passage-label';

export type CitedPassage = Pick<AnswerPassage, 'document' | 'url' | 'pages'> & { n: number };

/** What stands in a text for passages that are cited together, in the order of their numbers. */
export function citationText(cited: readonly CitedPassage[], style: AnswerCitationStyle): string {
  const ordered = [...cited].sort((a, b) => a.n - b.n);
  if (style === 'inline') return [...new Set(ordered.map((passage) => inlineText(passage)))].join(' ');
  if (style === 'passage') return ordered.map(({ n, pages }) => `[${passageLabel(n, pages)}]`).join('');
  return ordered.length === 0 ? '' : `[${compactRanges(ordered.map(({ n }) => n))}]`;
}

/** Document 001: `(file, Page 3)`, `[Source: https://…]`; `(file)` where there is neither page nor address. */
function inlineText({ document, url, pages }: CitedPassage): string {
  const address = pages === null || pages.name !== undefined ? citationUrl(url) : null;
  if (address !== null) return `[Source: ${address}]`;
  return `(${documentName(document)}${pages === null ? '' : `, ${pageWords(pages)}`})`;
}

/** `Page 3`, `Pages 5-6`, `slide 4`. */
function pageWords(pages: PageRange): string {
  if (pages.name !== undefined) return escapeWithinLine(pages.name);
  return answerTexts.pages(pageNumbers(pages), pages.from === pages.to);
}

/** Nothing in such a name is active in any Markdown: underscores stand between letters, and nobody makes a link of it. */
const PLAIN_FILE = /^[\p{L}\p{N}]+(?:[ _-][\p{L}\p{N}]+)*\.(?:pdf|docx|pptx|xlsx|epub|csv|html?)$/iu;

export function documentName(document: string): string {
  return PLAIN_FILE.test(document) ? document : escapeWithinLine(document.replace(/\s+/g, ' '));
}

/** `1-3, 5` of numbers in any order; two neighbours stand beside each other, `1, 2`. */
export function compactRanges(numbers: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.to === number - 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs
    .map(({ from, to }) => {
      if (from === to) return `${from}`;
      return to === from + 1 ? `${from}, ${to}` : `${from}-${to}`;
    })
    .join(', ');
}
