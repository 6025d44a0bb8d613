/** Words kept on either side of what differs, so that a reader sees where it stands. */
const CONTEXT_WORDS = 6;
const MOST_WORDS = 45;

/** Two versions of a text cut down to where they differ; what is left out is marked with `…`. */
export function differingParts(before: string, after: string): { before: string; after: string } {
  const [left, right] = [before.split(/\s+/), after.split(/\s+/)];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return { before: part(left, start, end), after: part(right, start, end) };
}

/** `same` words at the start and at the end are those of both versions. */
function part(words: readonly string[], sameAtStart: number, sameAtEnd: number): string {
  const from = Math.max(0, sameAtStart - CONTEXT_WORDS);
  const to = words.length - Math.max(0, sameAtEnd - CONTEXT_WORDS);
  const shown = words.slice(from, Math.min(to, from + MOST_WORDS));
  const isCut = from + shown.length < words.length;
  return `${from > 0 ? '… ' : ''}${shown.join(' ')}${isCut ? ' …' : ''}`;
}
