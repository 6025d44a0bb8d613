import type { Critique } from '../../../contracts/verification/critique';

/** A critique of which a caller gave a part: what it does not say is not wrong. */
export function wholeCritique(given: { [Field in keyof Critique]?: Critique[Field] | undefined }): Critique {
  return {
    needsRetry: given.needsRetry ?? true,
    hallucinationDetected: given.hallucinationDetected ?? false,
    unsupportedClaims: given.unsupportedClaims ?? [],
    logicalGaps: given.logicalGaps ?? [],
    conflictingEvidence: given.conflictingEvidence ?? [],
    missingCitations: given.missingCitations ?? [],
  };
}
