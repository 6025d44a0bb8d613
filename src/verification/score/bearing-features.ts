import { numbersIn } from '../../language/numbers';
import { absentNumbers } from '../absent-numbers';
import { bestWindow, heaviestMissing } from './best-window';
import { claimWords } from './claim-words';
import { heldWords, weightsOf } from './held-words';
import type { IndexedPassage } from './index-passage';
import { nearPairs } from './near-pairs';

/**
 * What is measured of a claim beside passages: how many of its numbers they do not hold; the weighted share of its words in
 * the three sentences that hold most; how many words of its names are nowhere; the weight of the heaviest word that those
 * three lack; the weighted share of its word pairs that stand near each other somewhere.
 */
export const BEARING_FEATURES = ['absentNumbers', 'share', 'absentNames', 'missing', 'pairs'] as const;
export type BearingFeature = (typeof BEARING_FEATURES)[number];

/** Pure. */
export function bearingFeatures(
  claim: string,
  passages: readonly IndexedPassage[],
): Record<BearingFeature, number> {
  const read = claimWords(claim);
  const weights = weightsOf(read.words, passages);
  const rows = passages.map((passage) => heldWords(read.words, passage));
  const window = bestWindow(rows, weights);
  const width = read.words.length;
  const isAnywhere = (column: number): boolean =>
    rows.some((held) => held.some((share, at) => share > 0 && at % width === column));
  return {
    absentNumbers: countAbsentNumbers(read.text, passages),
    share: window.share,
    absentNames: read.names.filter((column) => !isAnywhere(column)).length,
    missing: heaviestMissing(window, weights),
    pairs: nearPairs(read, weights, passages),
  };
}

/** The numbers of passages are read only for a claim that has some. */
function countAbsentNumbers(claim: string, passages: readonly IndexedPassage[]): number {
  if (numbersIn(claim).length === 0) return 0;
  return absentNumbers(
    claim,
    passages.flatMap(({ numbers }) => numbers()),
  ).length;
}
