import { probability } from '../../reading/features/score';
import trained from '../data/bearing-weights.json';
import { BEARING_FEATURES, type BearingFeature, bearingFeatures } from './bearing-features';
import { type IndexedPassage, indexPassage } from './index-passage';

/** Log-odds are the intercept and the sum of what each feature weighs. */
export interface BearingWeights {
  intercept: number;
  weights: Readonly<Record<BearingFeature, number>>;
}

/**
 * 0–1: how likely it is, by words alone, that the passages bear the claim. It cannot tell an invention on the topic from an
 * honest paraphrase, so that a high score alone never says that a claim is supported. Learned by `training/`. Pure.
 */
export function bearingScore(claim: string, passages: readonly string[]): number {
  return bearingScoreOn(claim, passages.map(indexPassage));
}

export function bearingScoreOn(
  claim: string,
  passages: readonly IndexedPassage[],
  { intercept, weights }: BearingWeights = trained,
): number {
  const features = bearingFeatures(claim, passages);
  return probability(
    BEARING_FEATURES.reduce((sum, feature) => sum + features[feature] * weights[feature], intercept),
  );
}
