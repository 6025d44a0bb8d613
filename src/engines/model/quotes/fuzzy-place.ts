import type { ComparableText } from '../../../verification/quotes/comparable-text';

/** Of a quote's words so many may be wrong, missing or too many; a shorter quote has to be exact. */
const TOLERANCE = 0.2;
const LEAST_WORDS = 6;

interface Word {
  text: string;
  /** Units of the comparable text. */
  start: number;
  end: number;
}

/** Units of the comparable text. */
export interface FuzzyPlace {
  start: number;
  end: number;
  /** Words that differ. */
  distance: number;
}

/**
 * Where a text says nearly what the quote says: the run of words with the least edit distance to the quote's words
 * (Sellers 1980), where that is at most a fifth of them. Numbers and negations must be the same ones in the same order: a
 * quote with another number is not the same quote.
 */
export function fuzzyPlace(quote: string, text: ComparableText): FuzzyPlace | null {
  const wanted = wordsOf(quote);
  if (wanted.length < LEAST_WORDS) return null;
  const given = wordsOf(text.text);
  const limit = Math.floor(wanted.length * TOLERANCE);
  const place = nearest(wanted, given, limit);
  if (place === null) return null;
  const words = given.slice(place.from, place.to);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (decisive(wanted) !== decisive(words)) return null;
  return { start: first.start, end: last.end, distance: place.distance };
}

/** The cheapest alignment that ends anywhere; each cell keeps where its alignment began. */
function nearest(
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

/** A minus before a number is a part of it; a hyphen between words parts them. */
const WORD =
  /(?<![\p{L}\p{N}])-\p{N}+(?:[.,]\p{N}+)*(?: ?%)?|[\p{L}\p{M}\p{N}]+(?:[.,'][\p{L}\p{N}]+)*(?: ?%)?|[<>=±≤≥]/gu;

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map((match) => ({
    text: match[0].replace(' ', ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const NEGATION = /^(?:not?|nor|never|none|neither|without|cannot|.*n't|[<>=±≤≥])$/;

function decisive(words: readonly Word[]): string {
  return words
    .map(({ text }) => text)
    .filter((text) => /\p{N}/u.test(text) || NEGATION.test(text))
    .join(' ');
}
