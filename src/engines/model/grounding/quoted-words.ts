import { quoteParts } from '../../../verification/quotes/comparable-text';

/** Shorter pieces in quotation marks are words that are mentioned, not quotes. */
const QUOTE_WORDS = 4;

/** What a text has in quotation marks as somebody's words, each in the parts between its ellipses. */
export function quotedWords(text: string): string[] {
  return [...text.matchAll(/“([^“”]+)”|"([^"]+)"|«([^«»]+)»/g)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .flatMap(quoteParts)
    .filter((quote) => quote.split(/\s+/).length >= QUOTE_WORDS);
}
