import type { AnswerPassage } from '../../contracts/answer/answer-passage';
import type { CriticisedClaim } from '../../contracts/verification/critique';

/** A claim that does not stand, told by sources and offsets into them: an audit reads passages alone, and tells them by theirs. */
export function asideBySources<Claim extends CriticisedClaim>(
  claim: Claim,
  passages: readonly AnswerPassage[],
): Claim {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const sourceOf = (id: string): string => byId.get(id)?.sourceId ?? id;
  const { evidence, betterSourceId, sourceIds } = claim;
  const passage = evidence === null ? undefined : byId.get(evidence.sourceId);
  return {
    ...claim,
    sourceIds: [...new Set(sourceIds.map(sourceOf))],
    ...(betterSourceId === undefined ? {} : { betterSourceId: sourceOf(betterSourceId) }),
    evidence:
      evidence === null || passage === undefined
        ? evidence
        : {
            ...evidence,
            sourceId: passage.sourceId,
            start: evidence.start + passage.start,
            end: evidence.end + passage.start,
          },
  };
}
