import type { AnswerCitation } from '../contracts/answer/answer';

/** Document 001's table: how far so many independent pieces of evidence carry; three and more are as good as it gets. */
const STEPS = [0, 0.6, 0.8, 0.95] as const;

/**
 * Of how many pieces of evidence a reply was made: the observations that its caller gave, or, where documents were read instead, the
 * different ones that it cites.
 */
export function evidencePieces(
  observations: number,
  citations: readonly Pick<AnswerCitation, 'sourceId'>[],
): number {
  return observations > 0 ? observations : new Set(citations.map(({ sourceId }) => sourceId)).size;
}

/** 0 → 0, 1 → 0.6, 2 → 0.8, 3 and more → 0.95. */
export function evidenceConfidence(pieces: number): number {
  return STEPS[Math.min(Math.max(0, Math.floor(pieces)), STEPS.length - 1)] ?? 0;
}
