import type { ComparedClaim } from './compared-claims';
import { quoteLikeness, sharedWords, versionOf } from './compare-quotes';
import { pairBestFirst } from './pair-best-first';

/** Above every score of what comes after it. */
const SHARES_A_QUOTE = 10;
const SAYS_THE_SAME = 5;
const CORRECTED = 2;
const REWORDED = 1;

/**
 * Which claim of the one report is which of the other, by what they rest on and say, never by id, number or place:
 * those that share a quote first, then those that say the same of another source, then those in which a source that
 * both cite says the same outcome with another number, direction or wording.
 */
export function pairClaims(
  before: readonly ComparedClaim[],
  after: readonly ComparedClaim[],
): Map<number, number> {
  const pairs = pairBestFirst(before, after, evidenceLikeness);
  const taken = new Set(pairs.values());
  const versions = pairBestFirst(before, after, (one, other, at) =>
    pairs.has(at.before) || taken.has(at.after) ? 0 : versionLikeness(one, other),
  );
  return new Map([...pairs, ...versions]);
}

function evidenceLikeness(one: ComparedClaim, other: ComparedClaim): number {
  const shared = sharedQuotes(one, other);
  const sameStatement = one.statementKey === other.statementKey;
  if (shared === 0) return sameStatement ? SAYS_THE_SAME + sharedWords(one.sources, other.sources) : 0;
  const [first, otherFirst] = [one.quotes[0], other.quotes[0]];
  const sameFirst = first === undefined || otherFirst === undefined ? 0 : quoteLikeness(first, otherFirst);
  return (
    SHARES_A_QUOTE +
    2 * shared +
    1.5 * sameFirst +
    (sameStatement ? 1 : sharedWords(one.words, other.words) / 2)
  );
}

/** The share of both claims' quotes that the other has too, 0–1. */
function sharedQuotes(one: ComparedClaim, other: ComparedClaim): number {
  const quotes = Math.max(1, one.quotes.length + other.quotes.length);
  return (quotesFoundIn(one, other) + quotesFoundIn(other, one)) / quotes;
}

function quotesFoundIn(one: ComparedClaim, other: ComparedClaim): number {
  return one.quotes.reduce(
    (sum, quote) => sum + Math.max(0, ...other.quotes.map((rival) => quoteLikeness(quote, rival))),
    0,
  );
}

function versionLikeness(one: ComparedClaim, other: ComparedClaim): number {
  const versions = one.quotes.flatMap((quote) => other.quotes.map((rival) => versionOf(quote, rival)));
  const kind = versions.includes('corrected') ? CORRECTED : versions.includes('reworded') ? REWORDED : 0;
  return kind === 0 ? 0 : kind + sharedWords(one.words, other.words) / 2;
}
