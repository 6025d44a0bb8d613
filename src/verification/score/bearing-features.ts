import { absentAmong } from '../absent-numbers';
import { bestWindow } from './best-window';
import { claimWords } from './claim-words';
import { heldWords } from './held-words';
import type { IndexedPassages } from './index-passages';
import { nearPairs } from './near-pairs';

/**
 * What is measured of a claim beside passages: how many of its numbers they do not hold; the weighted share of its words in
 * the three sentences that hold most; how many words of its names are nowhere; the weight of the heaviest word that those
 * three lack; the weighted share of its word pairs that stand near each other somewhere.
 */
export const BEARING_FEATURES = ['absentNumbers', 'share', 'absentNames', 'missing', 'pairs'] as const;
export type BearingFeature = (typeof BEARING_FEATURES)[number];

/** Pure. */
export function bearingFeatures(claim: string, passages: IndexedPassages): Record<BearingFeature, number> {
  const read = claimWords(claim);
  const held = heldWords(read.words, passages);
  const { share, missing } = bestWindow(held, passages);
  return {
    absentNumbers: absentAmong(read.text, passages.numbers).length,
    share,
    absentNames: read.names.filter((column) => held.anywhere[column] === 0).length,
    missing,
    pairs: nearPairs(read, held.weights, passages),
  };
}
