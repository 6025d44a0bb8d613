import { compareAssertions } from '../conflicts/compare-assertions';
import type { Comparison } from '../conflicts/comparison';
import { holds } from './claim-statement';
import type { ComparedQuote } from './compared-claims';
import { areOneFigureApart } from './figures';

/** Two quotes of one place must share this much of their words to be versions of one sentence. */
const SAME_PLACE = 0.6;
/** A part of a sentence is only taken for the sentence where it is more than a phrase. */
const LEAST_WORDS = 4;

/** How far two quotes are the same words of the same source: 1 where equal, less where one is part of the other. */
export function quoteLikeness(a: ComparedQuote, b: ComparedQuote): number {
  if (a.source !== b.source) return 0;
  if (a.key === b.key) return 1;
  const [short, long] = a.key.length <= b.key.length ? [a.key, b.key] : [b.key, a.key];
  const words = short.split(' ').length;
  return words >= LEAST_WORDS && holds(long, short) ? words / long.split(' ').length : 0;
}

/** How two quotes of one source are versions of one statement. */
export type Version = 'corrected' | 'reworded' | null;

/**
 * `corrected`: the same is said with another number or direction. `reworded`: the same in other words, or most of the
 * words at the same place of the text. Another dose or duration with another figure is another result.
 */
export function versionOf(a: ComparedQuote, b: ComparedQuote): Version {
  if (a.source !== b.source) return null;
  if (a.key.split(' ').length >= LEAST_WORDS && areOneFigureApart(a.quote, b.quote)) return 'corrected';
  if (a.asserted !== null && b.asserted !== null) {
    // Which of several effects of a sentence are compared first depends on the side from which one looks.
    const relations = [compareQuotes(a, b), compareQuotes(b, a)].map((comparison) => comparison?.relation);
    if (relations.includes('opposed') || relations.includes('number-differs')) return 'corrected';
    if (relations.includes('agree')) return 'reworded';
  }
  return a.start < b.end && b.start < a.end && sharedWords(a.key.split(' '), b.key.split(' ')) >= SAME_PLACE
    ? 'reworded'
    : null;
}

/** How what two quotes assert stands to each other; null where one asserts nothing. */
export function compareQuotes(a: ComparedQuote, b: ComparedQuote): Comparison | null {
  return a.asserted === null || b.asserted === null
    ? null
    : compareAssertions(a.asserted.assertion, b.asserted.assertion);
}

/** Shared words ÷ all words (Jaccard), 0–1. */
export function sharedWords(a: Iterable<string>, b: Iterable<string>): number {
  const [left, right] = [new Set(a), new Set(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}
