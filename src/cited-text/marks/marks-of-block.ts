import { append } from '../../core/values/append';
import type { InlineText } from '../markdown/inline-text';
import { addressMarks } from './address-marks';
import { bracketMarks, raisedMarks, type Known } from './bracket-marks';
import type { Mark } from './mark';

export interface FoundMark extends Mark {
  url?: string;
  /** A link's own words, where they are words. */
  words?: string;
}

/** The citations of a block's text, in order; where two overlap, the one that was found by the surer sign. */
export function marksOf(inline: InlineText, known: Known): FoundMark[] {
  const { scanned, spans } = inline;
  const raised = spans.filter(({ kind }) => kind === 'raised');
  const marks: FoundMark[] = [];
  const taken = new Set<number>();
  const found: FoundMark[] = [
    ...addressMarks(inline, known),
    ...bracketMarks(scanned, known),
    ...raisedMarks(scanned, raised, known),
  ];
  for (const mark of found) {
    const places = placesOf(mark);
    if (places.some((place) => taken.has(place))) continue;
    for (const place of places) taken.add(place);
    marks.push(mark);
  }
  return withoutQuoted(
    marks.sort((a, b) => a.from - b.from),
    scanned,
  );
}

const QUOTATION = /“[^“”]*”/g;
/**
 * What may stand between a quotation and its citation: stops, and in brackets of its own whose it is, which begins as a name does and ends
 * as no sentence does.
 */
const LEADING = /^(?:\s*\([\p{Lu}\p{N}](?:[^()]|\([^()]*\)){0,200}(?<![.!?])\))?[\s.,;:!?(]*$/u;

/** The marks within a quotation that is itself cited right behind it are of the text that is quoted. */
function withoutQuoted(marks: readonly FoundMark[], scanned: string): FoundMark[] {
  const left: FoundMark[] = [];
  let at = 0;
  for (const { 0: text, index: from } of scanned.matchAll(QUOTATION)) {
    const to = from + text.length;
    const within: FoundMark[] = [];
    for (; (marks[at]?.from ?? to) < to; at += 1) {
      const mark = marks[at];
      if (mark !== undefined) (mark.from >= from && mark.to <= to ? within : left).push(mark);
    }
    const next = marks[at];
    // What stands between is a name at most.
    const isCited = next !== undefined && next.from - to <= 300 && LEADING.test(scanned.slice(to, next.from));
    if (!isCited) append(left, within);
  }
  append(left, marks.slice(at));
  return left;
}

function placesOf({ from, to }: FoundMark): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
