import { weightedShare } from '../../reading/features/features';

/** What sentences that follow each other in a passage have of a claim. */
export interface Window {
  /** The most that any of them has of each word. */
  held: Float32Array;
  /** The weighted share of the claim's words. */
  share: number;
}

const SENTENCES = 3;

/** The first of the windows that hold most; of passages without sentences one that holds nothing. */
export function bestWindow(passages: readonly Float32Array[], weights: Float64Array): Window {
  const width = weights.length;
  let best: Window = { held: new Float32Array(width), share: 0 };
  if (width === 0) return best;
  for (const rows of passages) {
    for (let from = 0; from < rows.length; from += width) {
      const held = rows.slice(from, from + width);
      const to = Math.min(rows.length, from + SENTENCES * width);
      for (let at = from + width; at < to; at += 1) {
        const column = at % width;
        held[column] = Math.max(held[column] ?? 0, rows[at] ?? 0);
      }
      const share = weightedShare(held, 0, weights);
      if (share > best.share) best = { held, share };
    }
  }
  return best;
}

/** The weight of the heaviest word that a window lacks; of a word that it has in another form, of what lacks. */
export function heaviestMissing({ held }: Window, weights: Float64Array): number {
  return weights.reduce((most, weight, column) => Math.max(most, weight * (1 - (held[column] ?? 0))), 0);
}
