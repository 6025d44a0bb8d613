/** A passage of a text that came in one piece: about as long as what a retrieval finds. */
const MOST_CHARS = 1_600;
/** No shorter for the sake of a good end. */
const LEAST_CHARS = 400;

/** Where a text may end, best first: at a paragraph, at a line, at a sentence, between words. */
const ENDS = [/\n\s*\n/g, /\n/g, /[.!?]["”’)]?(?=\s)/g, /\s/g];

/** The parts of a text, in order and without white space at their ends; a short one is one part. */
export function cutLongText(text: string): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  for (let start = 0; start < text.length;) {
    const end =
      text.length - start <= MOST_CHARS ? text.length : start + endOf(text.slice(start, start + MOST_CHARS));
    const piece = text.slice(start, end);
    const from = start + (piece.length - piece.trimStart().length);
    const to = from + piece.trim().length;
    if (to > from) parts.push({ start: from, end: to });
    start = end;
  }
  return parts;
}

function endOf(window: string): number {
  for (const ending of ENDS) {
    const last = [...window.matchAll(ending)].at(-1);
    const end = last === undefined ? 0 : last.index + last[0].length;
    if (end >= LEAST_CHARS) return end;
  }
  // Half a surrogate pair is no end.
  return /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;
}
