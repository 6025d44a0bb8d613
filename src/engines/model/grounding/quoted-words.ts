import { quoteParts } from '../../../verification/quotes/comparable-text';

/** Shorter pieces in quotation marks are words that are mentioned, not quotes. */
const QUOTE_WORDS = 4;

const IN_MARKS = /“([^“”]+)”|"([^"]+)"|«([^«»]+)»/g;

/** A text without the quotation marks around what nobody said in these words: it is told, and judged, as a sentence's own words. */
export function withoutAlteredQuotes(text: string, isQuoted: (words: string) => boolean): string {
  return text.replace(IN_MARKS, (whole, ...groups: (string | undefined)[]) => {
    const inner = groups.slice(0, 3).find((group) => group !== undefined) ?? '';
    const parts = quoteParts(inner).filter((part) => part.split(/\s+/).length >= QUOTE_WORDS);
    return parts.every(isQuoted) ? whole : inner;
  });
}
