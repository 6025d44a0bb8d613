import type { Evidence } from '../contracts/finding';
import type { Passage, SourceWindow } from '../contracts/source';
import { type ComparableText, comparableText, quoteParts, withoutEndMarks } from './quotations';

/** `normalised` ignores marks and spaces, `fuzzy` a few words. */
export type QuoteMatch = 'exact' | 'normalised' | 'fuzzy';

export interface LocatedQuote {
  evidence: Evidence;
  match: QuoteMatch;
  misattributed: boolean;
}

/** Shorter quotes occur in every text. */
const MIN_LETTERS = 8;
const MAX_OMISSION = 400;

/** Finds quotes in given passages. The evidence is always text of the source, not of the model. */
export interface QuoteFinder {
  /** `named` is the model's source; undefined if it does not exist. Null if no passage has the quote. */
  locate(quote: string, named: string | undefined): LocatedQuote | null;
}

export function createQuoteFinder(windows: readonly SourceWindow[]): QuoteFinder {
  const bySource = new Map(windows.map((window) => [window.sourceId, window]));
  const comparable = new Map<Passage, ComparableText>();
  const comparableOf = (passage: Passage): ComparableText => {
    const kept = comparable.get(passage) ?? comparableText(passage.text);
    comparable.set(passage, kept);
    return kept;
  };

  function inWindow(window: SourceWindow, quote: string, fuzzy: boolean): LocatedQuote | null {
    for (const [match, find] of [
      ['exact', exactPlace],
      ['normalised', normalisedPlace],
      ...(fuzzy ? [['fuzzy', fuzzyPassagePlace] as const] : []),
    ] as const) {
      let best: { passage: Passage; place: Place } | null = null;
      for (const passage of window.passages) {
        const place = find(passage, quote, comparableOf);
        if (place !== null && (best === null || place.distance < best.place.distance))
          best = { passage, place };
        if (best?.place.distance === 0) break;
      }
      if (best !== null) {
        const { passage, place } = best;
        const evidence = {
          sourceId: window.sourceId,
          quote: passage.text.slice(place.start, place.end),
          start: passage.start + place.start,
          end: passage.start + place.end,
        };
        return { evidence, match, misattributed: false };
      }
    }
    return null;
  }

  return {
    locate(written, named) {
      const quote = withoutQuoteMarks(written);
      if (letters(quote) < MIN_LETTERS) return null;
      const own = named === undefined ? undefined : bySource.get(named);
      const found = own === undefined ? null : inWindow(own, quote, true);
      if (found !== null) return found;
      for (const window of windows) {
        if (window === own) continue;
        const elsewhere = inWindow(window, quote, false);
        if (elsewhere !== null) return { ...elsewhere, misattributed: true };
      }
      return null;
    },
  };
}

interface Place {
  start: number;
  end: number;
  distance: number;
}

type ComparableOf = (passage: Passage) => ComparableText;

function exactPlace(passage: Passage, quote: string): Place | null {
  const start = wholeWordsAt(passage.text, quote);
  return start < 0 ? null : { start, end: start + quote.length, distance: 0 };
}

function normalisedPlace(passage: Passage, quote: string, comparableOf: ComparableOf): Place | null {
  const parts = quoteParts(quote)
    .map((part) => withoutEndMarks(comparableText(part).text))
    .filter((part) => part !== '');
  const text = comparableOf(passage);
  let start = -1;
  let end = -1;
  for (const part of parts) {
    const at = wholeWordsAt(text.text, part, Math.max(0, end));
    if (at < 0 || (end >= 0 && at - end > MAX_OMISSION)) return null;
    if (start < 0) start = at;
    end = at + part.length;
  }
  return start < 0 ? null : original(passage, text, { start, end, distance: 0 });
}

function fuzzyPassagePlace(passage: Passage, quote: string, comparableOf: ComparableOf): Place | null {
  const text = comparableOf(passage);
  const place = fuzzyPlace(comparableText(quote).text, text);
  return place === null ? null : original(passage, text, place);
}

function original(
  passage: Passage,
  { starts, ends }: ComparableText,
  { start, end, distance }: Place,
): Place {
  const from = starts[start] ?? 0;
  const to = ends[end - 1] ?? from;
  const stop = /^["'”’»)\]]*[.!?]?["'”’»)\]]*/u.exec(passage.text.slice(to))?.[0] ?? '';
  return { start: from, end: /[.!?]/.test(stop) ? to + stop.length : to, distance };
}

/** A word that may be followed by reference numbers in text without superscripts: `contrast2,9`. */
const REFERENCED = /\p{Ll}{4}$/u;

/** Index of `part` in `text` at word and number boundaries; −1 if absent. */
function wholeWordsAt(text: string, part: string, from = 0): number {
  for (let at = text.indexOf(part, from); at >= 0; at = text.indexOf(part, at + 1)) {
    const end = at + part.length;
    const before = text.slice(Math.max(0, at - 2), at);
    const behind = text.slice(end, end + 2);
    const isWhole = !joins(part.slice(-2), behind) || (REFERENCED.test(part) && /^\p{N}/u.test(behind));
    if (!joins(before, part.slice(0, 2)) && isWhole) return at;
  }
  return -1;
}

/** True if a word or number continues across the boundary: `he|art`, `5.|3`, `5|.3`, `5| %`, `-|5`. */
function joins(left: string, right: string): boolean {
  return (
    (/[\p{L}\p{M}\p{N}]$/u.test(left) && /^[\p{L}\p{M}\p{N}]/u.test(right)) ||
    (/\p{N}[.,]?$/u.test(left) && /^[.,]?\p{N}/u.test(right)) ||
    (/\p{N}$/u.test(left) && /^ ?%/.test(right)) ||
    (/(?:^|[\s(])[-−–]$/u.test(left) && /^\p{N}/u.test(right))
  );
}

function withoutQuoteMarks(written: string): string {
  return written
    .trim()
    .replace(/^(?:["“”«»„]|…|\.{3}|\s)+|(?:["“”«»]|…|\.{3,}|\s)+$/gu, '')
    .trim();
}

function letters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Maximum share of words that differ; a short quote must match exactly. */
const TOLERANCE = 0.2;

const MIN_FUZZY_WORDS = 6;

/** A minus before a number belongs to it; a hyphen separates words. */
const WORD =
  /(?<![\p{L}\p{N}])-\p{N}+(?:[.,]\p{N}+)*(?: ?%)?|[\p{L}\p{M}\p{N}]+(?:[.,'][\p{L}\p{N}]+)*(?: ?%)?|[<>=±≤≥]/gu;

const NEGATION = /^(?:not?|nor|never|none|neither|without|cannot|.*n't|[<>=±≤≥])$/;

interface Word {
  text: string;
  start: number;
  end: number;
}

interface FuzzyPlace {
  start: number;
  end: number;
  distance: number;
}

/**
 * The run of words with the least edit distance to the quote (Sellers 1980), at most one fifth of its words. Numbers
 * and negations must be equal and in the same order: they change the meaning.
 */
function fuzzyPlace(quote: string, text: ComparableText): FuzzyPlace | null {
  const wanted = wordsOf(quote);
  if (wanted.length < MIN_FUZZY_WORDS) return null;
  const given = wordsOf(text.text);
  const limit = Math.floor(wanted.length * TOLERANCE);
  const place = bestAlignment(wanted, given, limit);
  if (place === null) return null;
  const words = given.slice(place.from, place.to);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (numbersAndNegations(wanted) !== numbersAndNegations(words)) return null;
  return { start: first.start, end: last.end, distance: place.distance };
}

function bestAlignment(
  wanted: readonly Word[],
  given: readonly Word[],
  limit: number,
): { from: number; to: number; distance: number } | null {
  let costs = new Uint32Array(wanted.length + 1).map((_, row) => row);
  let begins = new Uint32Array(wanted.length + 1);
  let best: { from: number; to: number; distance: number } | null = null;
  for (const [column, word] of given.entries()) {
    const nextCosts = new Uint32Array(wanted.length + 1);
    const nextBegins = new Uint32Array(wanted.length + 1);
    nextBegins[0] = column + 1;
    for (let row = 1; row <= wanted.length; row += 1) {
      const replace = (costs[row - 1] ?? 0) + (wanted[row - 1]?.text === word.text ? 0 : 1);
      const skipGiven = (costs[row] ?? 0) + 1;
      const skipWanted = (nextCosts[row - 1] ?? 0) + 1;
      const least = Math.min(replace, skipGiven, skipWanted);
      nextCosts[row] = least;
      nextBegins[row] =
        least === replace
          ? row === 1
            ? column
            : (begins[row - 1] ?? 0)
          : least === skipGiven
            ? (begins[row] ?? 0)
            : (nextBegins[row - 1] ?? 0);
    }
    costs = nextCosts;
    begins = nextBegins;
    const distance = costs[wanted.length] ?? Infinity;
    if (distance <= limit && (best === null || distance < best.distance)) {
      best = { from: begins[wanted.length] ?? 0, to: column + 1, distance };
    }
  }
  return best;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map((match) => ({
    text: match[0].replace(' ', ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function numbersAndNegations(words: readonly Word[]): string {
  return words
    .map(({ text }) => text)
    .filter((text) => /\p{N}/u.test(text) || NEGATION.test(text))
    .join(' ');
}
