import type { AnswerPassage } from '../../contracts/answer/answer-passage';
import type { Evidence } from '../../contracts/report/finding';
import type { CriticisedClaim } from '../../contracts/verification/critique';

type Placed = Pick<AnswerPassage, 'id' | 'sourceId' | 'start'>;

/** A claim that does not stand, told by sources and offsets into them: an audit reads passages alone, and tells them by theirs. */
export function asideBySources<Claim extends CriticisedClaim>(
  claim: Claim,
  passages: readonly Placed[],
): Claim {
  const sourceOf = (id: string): string => passages.find((passage) => passage.id === id)?.sourceId ?? id;
  const { evidence, quotes, betterSourceId, sourceIds } = claim;
  return {
    ...claim,
    sourceIds: [...new Set(sourceIds.map(sourceOf))],
    ...(betterSourceId === undefined ? {} : { betterSourceId: sourceOf(betterSourceId) }),
    evidence: evidence === null ? null : placeInSource(evidence, passages),
    ...(quotes === undefined ? {} : { quotes: quotes.map((quote) => placeInSource(quote, passages)) }),
  };
}

/** A place in a passage by its source, with offsets into that. */
export function placeInSource(evidence: Evidence, passages: readonly Placed[]): Evidence {
  const passage = passages.find(({ id }) => id === evidence.sourceId);
  if (passage === undefined) return evidence;
  const { sourceId, start: by } = passage;
  return { ...evidence, sourceId, start: evidence.start + by, end: evidence.end + by };
}
