/** How long a part may be, and how long it is at least for the sake of a good end, in UTF-16 units. */
export interface PartSizes {
  most: number;
  least: number;
}

/** Where a text may end, best first: at a paragraph, at a line, at a sentence, between words. */
const ENDS = [/\n\s*\n/g, /\n/g, /[.!?]["”’)]?(?=\s)/g, /\s/g];

/** The parts of a text, in order and without white space at their ends; a short one is one part. */
export function cutLongText(text: string, sizes: PartSizes): { start: number; end: number }[] {
  const { most } = sizes;
  const parts: { start: number; end: number }[] = [];
  for (let start = 0; start < text.length;) {
    const end =
      text.length - start <= most ? text.length : start + endOf(text.slice(start, start + most), sizes);
    const piece = text.slice(start, end);
    const from = start + (piece.length - piece.trimStart().length);
    const to = from + piece.trim().length;
    if (to > from) parts.push({ start: from, end: to });
    start = end;
  }
  return parts;
}

function endOf(window: string, { least }: PartSizes): number {
  for (const ending of ENDS) {
    const last = [...window.matchAll(ending)].at(-1);
    const end = last === undefined ? 0 : last.index + last[0].length;
    if (end >= least) return end;
  }
  // Half a surrogate pair is no end.
  return /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;
}
