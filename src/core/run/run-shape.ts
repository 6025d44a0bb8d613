import type { RunShape } from '../../contracts/run/run-input';

/** How the work of runs whose input does not say it is cut up where much is to be done. */
export const UNTOLD_SHAPE: RunShape = {
  atOnce: 32,
  sourcesABatch: 50,
  mostBatches: 200,
  summariesAtOnce: 10_000,
  scoredAtOnce: 100,
  round: 64,
};

/**
 * How the work of a run that is started now is cut up. A batch of the largest size takes about a minute of a thread, and what is
 * planned from 5,000 summaries takes some 100 MB in it.
 */
export const RUN_SHAPE: RunShape = { ...UNTOLD_SHAPE, summariesAtOnce: 5_000, largestBatch: 500 };
