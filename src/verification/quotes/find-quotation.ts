import type { Evidence } from '../../contracts/report/finding';
import { isNegator } from '../../language/negation';
import { isUnspaced } from '../../language/tokens';
import { isHedge } from '../../language/word-weight';
import { placedWords } from '../../language/word-positions';
import { type ComparableText, comparableText, quoteParts, withoutEndMarks } from './comparable-text';

/** Fewer letters and digits than this prove nothing: they stand in every text. */
const LEAST_LETTERS = 8;
/** Two parts of a quotation with an ellipsis between them are one place where the source has no more than this between them. */
const LONGEST_OMISSION = 1_000;
/** So far from a quotation its sentence may begin or end. */
const SENTENCE_REACH = 400;

/** Whether a stretch in quotation marks says enough to be looked for. */
export function isTelling(quotation: string): boolean {
  return letters(quotation) >= LEAST_LETTERS;
}

/**
 * Where a quotation stands in a source, word for word but for case, kinds of marks and white space; parts that it leaves out
 * are marked by an ellipsis, and stand in the source in the same order. Null where it does not, and where what it leaves out
 * of its sentences denies or weakens what it says.
 */
export function findQuotation(
  quotation: string,
  source: { id: string; content: string; comparable: ComparableText },
): Evidence | null {
  const { text, starts, ends } = source.comparable;
  const parts = quoteParts(quotation)
    .map((part) => withoutEndMarks(comparableText(part).text))
    .filter((part) => letters(part) > 0);
  const [first] = parts;
  if (first === undefined) return null;
  for (let from = text.indexOf(first); from >= 0; from = text.indexOf(first, from + 1)) {
    const places = placesOf(text, parts, from);
    const end = ends[(places?.at(-1)?.end ?? 0) - 1];
    const start = starts[from];
    if (places === null || start === undefined || end === undefined) continue;
    if (
      losesWeight(
        source.content,
        places.map(({ start: at, end: to }) => [starts[at] ?? start, ends[to - 1] ?? end]),
      )
    )
      continue;
    return { sourceId: source.id, quote: source.content.slice(start, end), start, end };
  }
  return null;
}

/** The places of all parts, the first of which begins at `from`; null where they do not all follow, as whole words. */
function placesOf(
  text: string,
  parts: readonly string[],
  from: number,
): { start: number; end: number }[] | null {
  const places: { start: number; end: number }[] = [];
  for (const part of parts) {
    const behind = places.at(-1)?.end;
    const start = behind === undefined ? from : text.indexOf(part, behind);
    const end = start + part.length;
    if (start < 0 || start - (behind ?? start) > LONGEST_OMISSION) return null;
    if (cutsWord(text, start) || cutsWord(text, end)) return null;
    places.push({ start, end });
  }
  return places;
}

/** What is left out of the quoted sentences: a denial anywhere, or before and between the parts what makes them less sure. */
function losesWeight(content: string, places: readonly (readonly [number, number])[]): boolean {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return false;
  const before =
    /[^.!?\n]*$/.exec(content.slice(Math.max(0, first[0] - SENTENCE_REACH), first[0]))?.[0] ?? '';
  const behind = /^[^.!?\n]*/.exec(content.slice(last[1], last[1] + SENTENCE_REACH))?.[0] ?? '';
  const between = places.slice(1).map(([start], at) => content.slice(places[at]?.[1] ?? start, start));
  return [before, ...between].some((text) => denies(text) || weakens(text)) || denies(behind);
}

function denies(text: string): boolean {
  const words = placedWords(text);
  return words.some((_word, at) => isNegator(words, at));
}

function weakens(text: string): boolean {
  return placedWords(text).some(({ stem }) => isHedge(stem));
}

/** Whether a word, or a number with its decimals, goes on over the place. */
function cutsWord(text: string, at: number): boolean {
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at, at + 2)];
  if (/\d[.,]$/.test(before) && /^\d/.test(after)) return true;
  if (/\d$/.test(before) && /^[.,]\d/.test(after)) return true;
  return /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after) && !isUnspaced(before + after);
}

function letters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
