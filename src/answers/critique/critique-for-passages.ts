import type { AnswerPassage } from '../../contracts/answer/answer-passage';
import type { Evidence } from '../../contracts/report/finding';
import type { CriticisedClaim, Critique } from '../../contracts/verification/critique';

/**
 * A critique for a writer who reads these passages. It names those of the text that it is of, or sources where there are none,
 * as a caller's does. What is numbered otherwise now is named so, and what is not among them any more is named no longer: its
 * number is another passage's. Pure.
 */
export function critiqueForPassages(
  critique: Critique,
  { of, now }: { of: readonly AnswerPassage[] | null; now: readonly AnswerPassage[] },
): Critique {
  const names = of === null ? bySource(now) : renumbered(of, now);
  const namesOf = (id: string): readonly string[] => names.get(id) ?? [];
  const named = (evidence: Evidence | null): Evidence | null => {
    const [sourceId] = evidence === null ? [] : namesOf(evidence.sourceId);
    return evidence === null || sourceId === undefined ? null : { ...evidence, sourceId };
  };
  const retold = ({ betterSourceId, ...claim }: CriticisedClaim): CriticisedClaim => {
    const [better] = betterSourceId === undefined ? [] : namesOf(betterSourceId);
    return {
      ...claim,
      sourceIds: [...new Set(claim.sourceIds.flatMap(namesOf))],
      evidence: named(claim.evidence),
      ...(better === undefined ? {} : { betterSourceId: better }),
    };
  };
  return {
    ...critique,
    unsupportedClaims: critique.unsupportedClaims.map(retold),
    conflictingEvidence: critique.conflictingEvidence.map(retold),
  };
}

function renumbered(
  before: readonly AnswerPassage[],
  now: readonly AnswerPassage[],
): ReadonlyMap<string, readonly string[]> {
  const place = ({ sourceId, start, end }: AnswerPassage): string => JSON.stringify([sourceId, start, end]);
  const ids = new Map(now.map((passage) => [place(passage), passage.id]));
  return new Map(
    before.map((passage) => {
      const id = ids.get(place(passage));
      return [passage.id, id === undefined ? [] : [id]];
    }),
  );
}

function bySource(now: readonly AnswerPassage[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { sourceId, id } of now) ids.set(sourceId, [...(ids.get(sourceId) ?? []), id]);
  return ids;
}
