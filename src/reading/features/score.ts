import trained from '../data/reader-weights.json';
import { FEATURES, type FeatureRow } from './features';
import type { Question } from '../question/question';

/** A row of weights, in the order of `FEATURES`. */
export interface Weights {
  intercept: number;
  values: readonly number[];
}

/**
 * A row of weights for questions that ask what something does to something else; for all others one within a source, and
 * one over many, where the place in its own source says nothing of a sentence.
 */
export interface ReaderWeights {
  effect: Weights;
  general: Weights;
  collection: Weights;
}

export const READER_WEIGHTS: ReaderWeights = {
  effect: weightsNamed(trained.effect),
  general: weightsNamed(trained.general),
  collection: weightsNamed(trained.collection),
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

export type Within = 'source' | 'collection';

/** The log-odds that a sentence with these features answers the question, among those of one source or of several. */
export function scoreOf(
  row: FeatureRow,
  question: Question,
  { within, weights = READER_WEIGHTS }: { within: Within; weights?: ReaderWeights },
): number {
  const general = within === 'collection' ? weights.collection : weights.general;
  const { intercept, values } = question.asksForEffect ? weights.effect : general;
  return row.reduce((sum, value, at) => sum + value * (values[at] ?? 0), intercept);
}

export function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
