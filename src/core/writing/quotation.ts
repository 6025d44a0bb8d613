import { seenText } from '../text/links';
import { escapeMarkdown, escapeWithinLine, stripUnsafe } from '../text/untrusted-text';

/**
 * A quote as the reader sees it: the source's words in quotation marks, its links by their words, white space folded, nothing in it
 * active as Markdown. The full stop at its end is left to the sentence that it stands in. The stored evidence keeps the quote exactly
 * as it is.
 */
export function quotation(quote: string): string {
  return `“${inert(cellsOfRow(seenText(quote)))
    .replace(/^["“”]+|["“”]+$/g, '')
    .replace(/(?<!\.)\.$/, '')}”`;
}

/** A row of a table without its bars: `Norway; 99 percent of adults`. */
function cellsOfRow(text: string): string {
  const row = text.trim();
  // A formula has bars too, and no space on both sides of one.
  if (!/^\||\|$/.test(row) || !/\s\|\s/.test(row)) return text;
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join('; ');
}

export function quotedIfVerbatim(
  statement: string,
  evidence: readonly { quote: string }[],
  shorten: (text: string) => string,
): string {
  const folded = statement.replace(/\s+/g, ' ').trim();
  const isVerbatim = evidence.some(({ quote }) => quote.replace(/\s+/g, ' ').trim() === folded);
  const seen = seenText(statement);
  return isVerbatim ? quotation(shorten(seen)) : inert(shorten(seen)).replace(/\.$/, '');
}

/** Any text of a source or a user on one line, harmless in Markdown and in a terminal. */
export function inert(text: string): string {
  return escapeMarkdown(stripUnsafe(text).replace(/\s+/g, ' ').trim());
}

/** The same behind other words of its line, where `1.` begins no list. */
export function inertWithin(text: string): string {
  return escapeWithinLine(stripUnsafe(text).replace(/\s+/g, ' ').trim());
}
