import type { SourcesById } from '../../../core/evidence/distinct-evidence';
import { groupedBy } from '../../../core/values/grouped-by';
import type { Question } from '../../../reading/question/question';
import { findConflicts } from '../../../reading/reconcile/find-conflicts';
import { toldAnswers } from '../../../reading/told-answers';
import { type AnswerClaim, asFindings } from './answer-claims';

/** A claim in its place. */
export interface PlacedClaim {
  claim: AnswerClaim;
  /** Whether it contradicts one before it. */
  contrast: boolean;
}

export interface ArrangedClaims {
  /** What answers best, with what contradicts it. */
  opening: PlacedClaim[];
  /** Where one fact is asked for: what names another one. */
  otherAnswers: PlacedClaim[];
  /** The rest, a list for each document. */
  documents: PlacedClaim[][];
}

/** Claims in the order in which they are read: the best, what disagrees with it, the others document by document. */
export function arrangeClaims(
  claims: readonly AnswerClaim[],
  question: Question,
  titles: SourcesById,
): ArrangedClaims {
  const findings = asFindings(claims);
  const conflicts = findConflicts(findings, titles, { question: question.text });
  const others = toldAnswers(question, findings).slice(1);
  const otherAnswers = new Set(others.flatMap(({ findingIds }) => claims[Number(findingIds[0])] ?? []));
  const sideOf = (claim: AnswerClaim, sides: (typeof conflicts)[number]['viewpoints']): number =>
    sides.findIndex(({ citations }) => citations.includes(claim.evidence[0]?.sourceId ?? ''));
  const contradict = (one: AnswerClaim, other: AnswerClaim): boolean =>
    conflicts.some(({ viewpoints, findingIds }) => {
      const isOf = (claim: AnswerClaim): boolean => findingIds.includes(`${claims.indexOf(claim)}`);
      const [side, otherSide] = [sideOf(one, viewpoints), sideOf(other, viewpoints)];
      return isOf(one) && isOf(other) && side >= 0 && otherSide >= 0 && side !== otherSide;
    });
  const waiting = [...claims];
  const takeWithContrasts = (claim: AnswerClaim): PlacedClaim[] => {
    waiting.splice(waiting.indexOf(claim), 1);
    const against = waiting.filter((other) => contradict(claim, other));
    for (const other of against) waiting.splice(waiting.indexOf(other), 1);
    return [{ claim, contrast: false }, ...against.map((other) => ({ claim: other, contrast: true }))];
  };
  const [best] = claims;
  const opening = best === undefined ? [] : takeWithContrasts(best);
  const differing = waiting.filter((claim) => otherAnswers.has(claim));
  for (const claim of differing) waiting.splice(waiting.indexOf(claim), 1);
  const documents: PlacedClaim[][] = [];
  for (const [, own] of groupedBy([...waiting], ({ evidence }) => evidence[0]?.sourceId)) {
    const left = own.filter((claim) => waiting.includes(claim));
    const placed = left.flatMap((claim) => (waiting.includes(claim) ? takeWithContrasts(claim) : []));
    if (placed.length > 0) documents.push(placed);
  }
  return { opening, otherAnswers: differing.map((claim) => ({ claim, contrast: false })), documents };
}
