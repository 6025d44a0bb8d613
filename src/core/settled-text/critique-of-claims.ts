import type { CriticisedClaim, Critique, SetAsideClaim } from '../../contracts/verification/critique';

/** What an audit says of a text, for its next attempt: what was set aside of it, and what it never had a citation for. */
export function critiqueOfClaims(
  setAside: readonly SetAsideClaim[],
  { logicalGaps, uncited }: { logicalGaps: string[]; uncited: readonly string[] },
): Critique {
  const wrong = setAside.map(({ action: _action, ...claim }): CriticisedClaim => claim);
  const conflictingEvidence = wrong.filter(({ verdict }) => verdict === 'contradicted');
  const unsupportedClaims = wrong.filter(({ verdict }) => verdict === 'unsupported' || verdict === 'partial');
  const isInvented = unsupportedClaims.some(({ verdict }) => verdict === 'unsupported');
  return {
    // A claim that nobody could decide is no fault of its writer, and what has no citation was asked for again as it was written.
    needsRetry: conflictingEvidence.length + unsupportedClaims.length > 0,
    hallucinationDetected: isInvented || conflictingEvidence.length > 0,
    unsupportedClaims,
    logicalGaps,
    conflictingEvidence,
    missingCitations: [...new Set(uncited)],
  };
}
