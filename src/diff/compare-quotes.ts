import { holds } from './claim-statement';
import type { ComparedQuote } from './compared-claims';
import { areOneFigureApart, figureChanges } from './figures';
import { turnedEffect } from './turned-effect';

/** Two quotes of one place must share this much of their words to be versions of one sentence. */
const SAME_PLACE = 0.6;
/** Quotes that are worded apart are of one matter where so much of it is the same, and where it is more than a word. */
const SAME_MATTER = 0.5;
const LEAST_MATTER = 2;
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

export type Version = 'corrected' | 'reworded' | null;

/**
 * `corrected`: the same is said with another number or direction. `reworded`: the same in other words, or most of the
 * words at the same place of the text. Another dose or duration with another figure is another result.
 */
export function versionOf(a: ComparedQuote, b: ComparedQuote): Version {
  if (a.source !== b.source) return null;
  if (a.key.split(' ').length >= LEAST_WORDS && areOneFigureApart(a.quote, b.quote)) return 'corrected';
  if (areOnOneMatter(a, b)) {
    const figures = figureChanges(a.quote, b.quote).length;
    if (turnedEffect(a.quote, b.quote) !== null || figures === 1) return 'corrected';
    if (figures === 0) return 'reworded';
  }
  return a.start < b.end && b.start < a.end && sharedWords(a.key.split(' '), b.key.split(' ')) >= SAME_PLACE
    ? 'reworded'
    : null;
}

/** Whether one of two quotes speaks of nothing that the other does not speak of, and of more than half of it. */
export function areOnOneMatter(a: ComparedQuote, b: ComparedQuote): boolean {
  const [less, more] = [a.matter, b.matter].sort((one, other) => one.size - other.size);
  if (less === undefined || more === undefined || less.size < LEAST_MATTER) return false;
  return less.size / more.size > SAME_MATTER && [...less].every((stem) => more.has(stem));
}

/** Shared words ÷ all words (Jaccard), 0–1. */
export function sharedWords(a: Iterable<string>, b: Iterable<string>): number {
  const [left, right] = [new Set(a), new Set(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}
