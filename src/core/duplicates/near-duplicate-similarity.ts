/**
 * Two texts that share this much of their shingles are one text: copies, versions and reprints, not the same study
 * told twice.
 */
export const NEAR_DUPLICATE_SIMILARITY = 0.5;
