import { stripUnsafe } from '../../core/text/untrusted-text';

/** What is wrong with a text that is no JSON, in a line; anything but a syntax error is thrown on. */
export function jsonErrorText(error: unknown): string {
  if (!(error instanceof SyntaxError)) throw error;
  return `not valid JSON: ${stripUnsafe(error.message).replace(/\s+/g, ' ')}`;
}

/**
 * The line on which the parser stopped, where its message gives the place, or a part of the text that stands there
 * only.
 */
export function jsonErrorLine(error: unknown, text: string): number | undefined {
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)/.exec(message)?.[1];
  const excerpt = /, (?:\.\.\.)?"([\s\S]+?)"(?:\.\.\.)? is not valid JSON$/.exec(message)?.[1];
  const offset = position === undefined ? onlyPlaceOf(excerpt, text) : Number(position);
  return offset === undefined ? undefined : text.slice(0, offset).split('\n').length;
}

function onlyPlaceOf(excerpt: string | undefined, text: string): number | undefined {
  if (excerpt === undefined) return undefined;
  const first = text.indexOf(excerpt);
  return first >= 0 && first === text.lastIndexOf(excerpt)
    ? first + Math.floor(excerpt.length / 2)
    : undefined;
}
