/** So many numbers a range names at most; a longer one names its two ends. */
const MOST_IN_RANGE = 50;
/** Pages that a label names: `1: p.5-6` is passage 1. */
const PAGES = /:\s*pp?\.?\s*\d+(?:\s*[-–—]\s*\d+)?/g;
const NUMBER_OR_RANGE = /(\d+)(?:\s*[-–—]\s*(\d+))?/g;

/**
 * The numbers that citations name, each once, in order: `[1-3]` names 1, 2 and 3, `[1, 3]` 1 and 3, `[1-3, 5]` four, and
 * `[1][2]` side by side two. Letters before a number (`P1`) count for nothing.
 */
export function citedNumbers(mark: string): number[] {
  const named = [
    ...mark
      .replace(PAGES, '')
      .replace(/@?P(?=\d)/gi, '')
      .matchAll(NUMBER_OR_RANGE),
  ].flatMap(([, first = '', last]) => numbersOf(Number(first), last === undefined ? null : Number(last)));
  return [...new Set(named)];
}

function numbersOf(first: number, last: number | null): number[] {
  if (last === null || last === first) return [first];
  if (last < first || last - first >= MOST_IN_RANGE) return [first, last];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
