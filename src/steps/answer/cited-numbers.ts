import { citedRanges } from '../../answers/citation-ranges';

/** Pages that a label names: `1: p.5-6` is passage 1. */
const PAGES = /:\s*pp?\.?\s*\d+(?:\s*[-–—]\s*\d+)?/g;
const JOINING = /\band\b|&/gi;
/** What models put before a number: `P1`, `passage 1`, `^1`. */
const NAMING = /[@#^\p{L}]+/gu;

/**
 * The numbers that a citation names, each once, in order, in the forms that were asked for and in those that models use
 * besides: `[1-3, 5]`, `[1][2]`, `[P1; P3]`, `(passages 1 and 2)`, `[1: p.5-6]`.
 */
export function citedNumbers(mark: string): number[] {
  const bare = mark.replace(PAGES, '').replace(JOINING, ',').replace(NAMING, '');
  const listed = bare.replace(/\(/g, '[').replace(/\)/g, ']');
  return [...new Set(citedRanges(listed).flatMap(({ numbers }) => numbers))];
}
