import { directionWords, isComparing } from '../language/direction';
import { numbersIn, type TextNumber } from '../language/numbers';
import { type PlacedWord, placedWords } from '../language/word-positions';
import { type ComparedSides, labelsOf, type Side, sidesOf } from './compared-sides';
import { pValuesIn } from './p-values';
import { significanceOf } from './significance';

export type Direction = 'increased' | 'decreased' | 'none';

/** What was done, what it was held against, and what was measured. */
export interface Comparison {
  intervention: string;
  comparator: string;
  outcome: string;
}

/** For more (1) or for less (-1) with the intervention, and how much it counts. */
interface Vote {
  sense: number;
  weight: number;
}

/** Votes must add up to this, and to this share of all of them, or nothing is said. */
const LEAST_SUM = 0.6;
const LEAST_SHARE = 0.5;

/** What texts say that the intervention does to the outcome, against the comparator; null where they leave it open. */
export function directionOf(texts: readonly string[], comparison: Comparison): Direction | null {
  if (significanceOf(texts) === 'none') return 'none';
  const sides = sidesOf(comparison);
  const votes = [...new Set(texts)].flatMap((text) => votesOf(text, sides));
  const sum = votes.reduce((total, { sense, weight }) => total + sense * weight, 0);
  const all = votes.reduce((total, { weight }) => total + weight, 0);
  if (Math.abs(sum) < LEAST_SUM || Math.abs(sum) < LEAST_SHARE * all) return null;
  return sum > 0 ? 'increased' : 'decreased';
}

function votesOf(text: string, sides: ComparedSides): Vote[] {
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const words = placedWords(plain);
  const labels = labelsOf(words, sides);
  return [...wordVotes(words, labels, sides), ...figureVotes(plain, words, labels)];
}

/** How far words look for the outcome, for what is compared with, and for the sides. */
const REACH = { outcome: 14, comparing: 40, clause: 16, side: 12, compared: 10 };
const WEIGHTS = { compared: 1, after: 0.8, before: 0.7, earlier: 0.6, farFromOutcome: 0.5 };

function wordVotes(words: readonly PlacedWord[], labels: readonly Side[], sides: ComparedSides): Vote[] {
  return directionWords(words).flatMap(({ at, sense, isNegated }): Vote[] => {
    if (isNegated || sides.outcome.has(words[at]?.stem ?? '')) return [];
    const near = words
      .slice(Math.max(0, at - REACH.outcome), at + REACH.outcome + 1)
      .some(({ stem }) => sides.outcome.has(stem));
    const whose =
      sideOf(words, labels, at) ??
      (sides.isEarlier ? { side: 'intervention' as const, weight: WEIGHTS.earlier } : null);
    if (whose === null) return [];
    return [
      {
        sense: whose.side === 'intervention' ? sense : -sense,
        weight: whose.weight * (near ? 1 : WEIGHTS.farFromOutcome),
      },
    ];
  });
}

/** Which side a word of direction is said of: not the one it is compared with, else the nearest after it or before it. */
function sideOf(
  words: readonly PlacedWord[],
  labels: readonly Side[],
  at: number,
): { side: NonNullable<Side>; weight: number } | null {
  const than = words.findIndex(
    (word, index) => index > at && index < at + REACH.comparing && isComparing(word),
  );
  const compared =
    than < 0 ? undefined : labels.slice(than + 1, than + REACH.compared).find((label) => label !== null);
  if (compared !== undefined && compared !== null) return { side: other(compared), weight: WEIGHTS.compared };
  const end = than < 0 ? at + REACH.clause : than;
  const after = labels.slice(at + 1, Math.min(end, at + REACH.side + 1)).find((label) => label !== null);
  if (after !== undefined && after !== null) return { side: after, weight: WEIGHTS.after };
  const before = labels.slice(Math.max(0, at - REACH.side), at).findLast((label) => label !== null);
  return before === undefined || before === null ? null : { side: before, weight: WEIGHTS.before };
}

function other(side: NonNullable<Side>): NonNullable<Side> {
  return side === 'intervention' ? 'comparator' : 'intervention';
}

const FIGURES_WEIGH = { compared: 1.2, respectively: 0.9, ownSide: 1 };
/** `12 % of the patients compared with 7 %`: so many words may stand between two figures that are compared. */
const WORDS_BETWEEN = 8;

function figureVotes(text: string, words: readonly PlacedWord[], labels: readonly Side[]): Vote[] {
  const figures = figuresIn(text);
  return [...comparedFigures(text, figures, words, labels), ...ownFigures(text, figures, words, labels)];
}

/** Results: neither dates, probabilities, spreads nor limits of intervals. */
function figuresIn(text: string): TextNumber[] {
  const probabilities = pValuesIn(text);
  return numbersIn(text).filter(
    ({ start, end, endOfUnit, isDate }) =>
      !isDate &&
      !/(?:±|\bn\s?=)\s?$/.test(text.slice(Math.max(0, start - 4), start)) &&
      !/^\s?(?:CI|confidence)\b/i.test(text.slice(endOfUnit, endOfUnit + 12)) &&
      !probabilities.some((probability) => start >= probability.start && end <= probability.end),
  );
}

function comparedFigures(
  text: string,
  figures: readonly TextNumber[],
  words: readonly PlacedWord[],
  labels: readonly Side[],
): Vote[] {
  return figures.flatMap((figure, at): Vote[] => {
    const next = figures[at + 1];
    if (next === undefined || figure.value === next.value || figure.unit !== next.unit) return [];
    const between = words.filter(({ start }) => start >= figure.end && start < next.start);
    const isRespective = /^[^.;]{0,60}?\brespectively\b/i.test(text.slice(next.end, next.end + 80));
    const isCompared = between.length <= WORDS_BETWEEN && between.some(isComparing);
    if (!isCompared && !(isRespective && between.some(({ word }) => word === 'and'))) return [];
    const first = labels.find((label, index) => label !== null && (words[index]?.start ?? 0) < figure.start);
    if (first === undefined || first === null) return [];
    const sense = Math.sign(figure.value - next.value) * (first === 'intervention' ? 1 : -1);
    return [{ sense, weight: isCompared ? FIGURES_WEIGH.compared : FIGURES_WEIGH.respectively }];
  });
}

/** `the walking group (12.3) … the control group (9.8)`: each side's name with its first figure after it. */
function ownFigures(
  text: string,
  figures: readonly TextNumber[],
  words: readonly PlacedWord[],
  labels: readonly Side[],
): Vote[] {
  const own = new Map<Side, TextNumber>();
  labels.forEach((label, index) => {
    const word = words[index];
    if (label === null || word === undefined || own.has(label)) return;
    const figure = figures.find(({ start }) => start >= word.end);
    if (figure !== undefined && /^[A-Za-z' -]{0,25}[\s(:=]{1,3}$/.test(text.slice(word.end, figure.start)))
      own.set(label, figure);
  });
  const [left, right] = [own.get('intervention'), own.get('comparator')];
  if (left === undefined || right === undefined || left.value === right.value) return [];
  return [{ sense: Math.sign(left.value - right.value), weight: FIGURES_WEIGH.ownSide }];
}
