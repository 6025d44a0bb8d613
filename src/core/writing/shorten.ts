/** The words of a text, as a reader counts them. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/**
 * Shortens a sentence for a summary or a list: parentheses with statistics go first, then everything from a clause
 * boundary on. What is left out is marked with `…`; a sentence that is short enough comes back as it is.
 */
export function shorten(sentence: string, maxWords: number): string {
  if (countWords(sentence) <= maxWords) return sentence;
  const plain = sentence.replace(/\s*[([][^()[\]]*[)\]]/g, ' …').replace(/(?:\s*…)+(?=[\s.,;:])/g, ' …');
  const compact = plain.replace(/\s+/g, ' ').replace(/ …(?=[.,;:])/g, '…');
  if (countWords(compact) <= maxWords) return compact.trim();
  const words = compact.split(' ');
  const window = words.slice(0, maxWords).join(' ');
  const boundary = Math.max(
    ...[
      '; ',
      ', while ',
      ', whereas ',
      ', but ',
      ', and ',
      ', with ',
      ', which ',
      ', as ',
      ', although ',
    ].map((mark) => window.lastIndexOf(mark)),
  );
  const cut = boundary > window.length * 0.45 ? window.slice(0, boundary) : window;
  return `${cut.replace(/(?:\s+(?:and|or|of|the|a|an|in|to|with|for|by|from|at|on|than|that|was|were|is|are|…))+$/i, '').replace(/[\s,;:–-]+$/, '')} …`;
}
