import trained from '../data/meaning-weights.json';
import type { Nearness } from '../../encoder/late-interaction';
import { resultScore } from './result-score';

/** How near a sentence comes to a question, and how likely it therefore bears on its answer, 0–1. */
export interface Meaning extends Nearness {
  likely: number;
}

/**
 * What is measured of a sentence that is read by its meaning: how near it and its title come to the question’s words, and whether it
 * asserts a result. More was tried and told less of questions that nothing was learned from (docs/evaluation.md).
 */
export const MEANING_FEATURES = ['titledMean', 'result'] as const;
export type MeaningFeature = (typeof MEANING_FEATURES)[number];

export const MEANT_FEATURES = ['byWords', 'coverage', 'cosine', 'titleCosine'] as const;
export type MeantFeature = (typeof MEANT_FEATURES)[number];

/**
 * The same where yes or no is asked. What is near it as a whole may be of another treatment, or of other people: it is answered by
 * what comes near to each of its words, of which the farthest is the farther the more there are.
 */
export const WHETHER_FEATURES = ['titledLeast', 'words'] as const;
export type WhetherFeature = (typeof WHETHER_FEATURES)[number];

export interface NamedWeights<Name extends string> {
  intercept: number;
  weights: Readonly<Record<Name, number>>;
}

export interface MeaningWeights {
  sentence: NamedWeights<MeaningFeature>;
  answerable: NamedWeights<MeantFeature>;
  whether: NamedWeights<WhetherFeature>;
}

export const MEANING_WEIGHTS: MeaningWeights = trained;

const MOST_RESULT = 3;
/** Results differ in their last digits between processors; what is decided by them must not. */
const DIGITS = 1_000;

export function meaningFeatures({ titledMean }: Nearness, text: string): Record<MeaningFeature, number> {
  return { titledMean: rounded(titledMean), result: rounded(clamp(resultScore(text), MOST_RESULT)) };
}

export function logOddsBy<Name extends string>(
  names: readonly Name[],
  { intercept, weights }: NamedWeights<Name>,
  features: Readonly<Record<Name, number>>,
): number {
  return names.reduce((sum, name) => sum + features[name] * weights[name], intercept);
}

export function rounded(value: number): number {
  return Math.round(DIGITS * value) / DIGITS;
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}
