import { placedWords, type PlacedWord } from '../../language/word-positions';
import {
  type Comparison,
  labelsOf,
  sidesOf,
  type ComparedSides,
  type Label,
  type Side,
} from './compared-sides';
import { significanceVotes } from './significance';
import { directionWords, isComparing } from '../../language/direction';

export type Direction = 'increased' | 'decreased' | 'none';

/** That no word tells of an effect is not enough to say that there is none. */
const LEAST_FOR_NONE = 0.5;
/** Votes must add up to this, and to this share of all of them, or nothing is said. */
const LEAST_SUM = 0.8;
const LEAST_SHARE = 0.6;

/** What texts say that the intervention does to the outcome, against the comparator; null where they leave it open. */
export function directionOf(texts: readonly string[], comparison: Comparison): Direction | null {
  const significance = significanceVotes(texts);
  if (significance <= 0) return significance <= -LEAST_FOR_NONE ? 'none' : null;
  const sides = sidesOf(comparison);
  const votes = [...new Set(texts)].flatMap((text) => {
    const words = placedWords(text);
    return wordVotes(text, words, labelsOf(words, sides), sides);
  });
  const sum = votes.reduce((total, { sense, weight }) => total + sense * weight, 0);
  const all = votes.reduce((total, { weight }) => total + weight, 0);
  if (Math.abs(sum) < LEAST_SUM || Math.abs(sum) < LEAST_SHARE * all) return null;
  return sum > 0 ? 'increased' : 'decreased';
}

/** For more (1) or for less (-1) with the intervention, and how much it counts. */
interface Vote {
  sense: number;
  weight: number;
}

/** So many words on, what something is compared with, and the sides, are looked for. */
const REACH = { comparing: 40, side: 12, subject: 2, compared: 10 };
const WEIGHTS = { compared: 1, after: 0.8, subject: 0.8, before: 0.7, implied: 0.6, farFromOutcome: 0.2 };
const BREAK = /[,;:()[\]]|\.\s/;

/** What each word of more or of less says of the intervention; most where the outcome is told beside it. */
function wordVotes(
  text: string,
  words: readonly PlacedWord[],
  labels: readonly Label[],
  sides: ComparedSides,
): Vote[] {
  const nearness = nearnessToOutcome(text, words, sides.outcome);
  const isUnnamed = labels.every((label) => label === null);
  return directionWords(text, words).flatMap(({ at, sense, isNegated }): Vote[] => {
    if (isNegated || labels[at]?.isOwn === true || sides.outcome.has(words[at]?.stem ?? '')) return [];
    // Where no side is named, or the comparator is an earlier time, it is the intervention that is told of.
    const told =
      sideOf(words, labels, at) ??
      (sides.isEarlier || isUnnamed ? { side: 'intervention', weight: WEIGHTS.implied } : null);
    if (told === null) return [];
    const weight = told.weight * Math.max(WEIGHTS.farFromOutcome, nearness[at] ?? 0);
    return [{ sense: told.side === 'intervention' ? sense : -sense, weight }];
  });
}

/** For each word how much of the outcome the part of the sentence has in which it stands, against the part that has most. */
function nearnessToOutcome(
  text: string,
  words: readonly PlacedWord[],
  outcome: ReadonlySet<string>,
): number[] {
  let named = new Set<string>();
  const parts = words.map(({ start, stem }, at) => {
    const previous = words[at - 1];
    if (previous !== undefined && BREAK.test(text.slice(previous.end, start))) named = new Set();
    if (outcome.has(stem)) named.add(stem);
    return named;
  });
  const most = Math.max(1, ...parts.map(({ size }) => size));
  return parts.map(({ size }) => size / most);
}

/** Which side a word of direction is said of: not the one it is compared with, else the nearest after it or before it. */
function sideOf(
  words: readonly PlacedWord[],
  labels: readonly Label[],
  at: number,
): { side: Side; weight: number } | null {
  const comparing = words.flatMap((word, index) => (isComparing(word) ? [index] : []));
  const than = comparing.find((index) => index > at && index < at + REACH.comparing) ?? Infinity;
  const compared = sideAmong(labels.slice(than + 1, than + REACH.compared));
  if (compared !== null) return { side: otherSide(compared), weight: WEIGHTS.compared };
  const after = sideAmong(labels.slice(at + 1, Math.min(than, at + REACH.side + 1)));
  if (after !== null) return { side: after, weight: WEIGHTS.after };
  const from = Math.max(at - REACH.side, (comparing.findLast((index) => index < at) ?? -1) + 1);
  const earlier = labels.slice(from, at).reverse();
  const before = sideAmong(earlier);
  if (before === null) return null;
  const isSubject = sideAmong(earlier.slice(0, REACH.subject)) === before;
  return { side: before, weight: isSubject ? WEIGHTS.subject : WEIGHTS.before };
}

/** The first that is named by its own name, else the first that is named at all. */
function sideAmong(labels: readonly Label[]): Side | null {
  return (labels.find((label) => label?.isOwn) ?? labels.find((label) => label !== null))?.side ?? null;
}

function otherSide(side: Side): Side {
  return side === 'intervention' ? 'comparator' : 'intervention';
}
