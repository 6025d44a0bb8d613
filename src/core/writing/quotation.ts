import { escapeMarkdown, stripUnsafe } from '../untrusted-text';

/**
 * A quote as the reader sees it: the source's words in quotation marks, white space folded, nothing in it active as
 * Markdown. The full stop at its end is left to the sentence that it stands in. The stored evidence keeps the quote exactly
 * as it is.
 */
export function quotation(quote: string): string {
  return `“${inert(quote)
    .replace(/^["“”]+|["“”]+$/g, '')
    .replace(/(?<!\.)\.$/, '')}”`;
}

/** Any text of a source or a user on one line, harmless in Markdown and in a terminal. */
export function inert(text: string): string {
  return escapeMarkdown(stripUnsafe(text).replace(/\s+/g, ' ').trim());
}
