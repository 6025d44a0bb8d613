/** A text as answers are looked for in it: letters, figures and single spaces, in lower case. */
export function plain(text: string): string {
  return folded(text.toLowerCase().replace(/[^\p{L}\p{N}_. ]/gu, ' '));
}

/** In lower case and single spaces. */
export function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Whether one of the marked texts stands in a quote, or a quote in it: a quote may be more or less than the sentence that was marked. */
export function holdsMarked(marked: readonly string[], quotes: readonly string[]): boolean {
  return marked
    .map(folded)
    .some((text) => quotes.some((quote) => quote.includes(text) || text.includes(quote)));
}
