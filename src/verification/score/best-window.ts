import { weightedShare } from '../../reading/features/features';
import type { HeldWords } from './held-words';
import type { IndexedPassages } from './index-passages';

/** What the sentences that follow each other in one passage and hold most of a claim have of it. */
export interface Window {
  /** The weighted share of its words. */
  share: number;
  /** The weight of the heaviest word that is not there; of a word that is there in another form, of what lacks. */
  missing: number;
}

const SENTENCES = 3;

/** The first of the best windows; where there are no sentences, one that holds nothing. */
export function bestWindow({ rows, weights }: HeldWords, { passageOf }: IndexedPassages): Window {
  const width = weights.length;
  let best = new Float32Array(width);
  let bestShare = 0;
  for (let from = 0; from < passageOf.length; from += 1) {
    const held = rows.slice(from * width, (from + 1) * width);
    for (let sentence = from + 1; sentence < from + SENTENCES; sentence += 1) {
      if (passageOf[sentence] !== passageOf[from]) break;
      for (let column = 0; column < width; column += 1)
        held[column] = Math.max(held[column] ?? 0, rows[sentence * width + column] ?? 0);
    }
    const share = weightedShare(held, 0, weights);
    if (share > bestShare) [best, bestShare] = [held, share];
  }
  const missing = weights.reduce(
    (most, weight, column) => Math.max(most, weight * (1 - (best[column] ?? 0))),
    0,
  );
  return { share: bestShare, missing };
}
