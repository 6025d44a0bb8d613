import trained from './data/reader-weights.json';
import { FEATURES, type FeatureRow } from './features';
import type { Question } from './question';

/** A row of weights, in the order of `FEATURES`. */
export interface Weights {
  intercept: number;
  values: readonly number[];
}

/** One row for questions that ask what something does to something else, one for all others. */
export interface ReaderWeights {
  effect: Weights;
  general: Weights;
}

export const READER_WEIGHTS: ReaderWeights = {
  effect: weightsNamed(trained.effect),
  general: weightsNamed(trained.general),
};

/** Weights by the names of their features, as the training script writes them; a feature without one weighs nothing. */
export function weightsNamed({
  intercept,
  weights,
}: {
  intercept: number;
  weights: Readonly<Record<string, number>>;
}): Weights {
  return { intercept, values: FEATURES.map((feature) => weights[feature] ?? 0) };
}

/** The log-odds that a sentence with these features answers the question. */
export function scoreOf(
  row: FeatureRow,
  question: Question,
  weights: ReaderWeights = READER_WEIGHTS,
): number {
  const { intercept, values } = question.asksForEffect ? weights.effect : weights.general;
  return row.reduce((sum, value, at) => sum + value * (values[at] ?? 0), intercept);
}

export function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
