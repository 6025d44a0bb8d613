import { writingTexts } from '../../texts/writing';
import type { Level } from '../../texts/writing';

/** Matches the confidence that a report tells of a claim; the source of a regular expression. */
export const CONFIDENCE_REMARK = `(?:${writingTexts.read.confidence})`;

/** Document 002: what agreement, standing and conflict make of a finding's confidence. */
const THREE_AGREE = 0.95;
const TWO_AGREE = 0.85;
export const ONE_AUTHORITATIVE = 0.75;
/** One general source, where nothing makes the finding weak or speculative (document 002: below 0.5). */
export const ONE_GENERAL = 0.62;
const WEAK_BELOW = 0.5;
/** Nothing that sources contradict is surer. */
export const CONFLICTING = 0.6;

/**
 * High from what two sources have that agree; Low up to what a conflict leaves, where document 002 has conflicts and indirect
 * evidence. Medium is between: what one source found and none contradicts is neither sure nor doubtful.
 */
export function confidenceWord(confidence: number): Level {
  if (confidence >= TWO_AGREE) return 'High';
  return confidence > CONFLICTING ? 'Medium' : 'Low';
}

/** `Medium confidence (0.75)`. */
export function confidenceText(confidence: number): string {
  return writingTexts.confidence(confidenceWord(confidence), true, confidence);
}

export interface Corroboration {
  /** What the finding had before it was checked. */
  confidence: number;
  /** Pieces of distinct evidence that assert it, its own included (`countDistinctEvidence`). */
  distinctEvidence: number;
  authoritative: boolean;
  conflicting: boolean;
}

/**
 * The confidence after the cross-check. A conflict weighs more than any agreement; agreement raises and never lowers; a
 * single authoritative source stands at 0.75, a general one at 0.62 at least, and weak evidence keeps what it had.
 */
export function checkedConfidence(finding: Corroboration): number {
  if (finding.conflicting) return Math.min(finding.confidence, CONFLICTING);
  if (finding.distinctEvidence >= 3) return Math.max(finding.confidence, THREE_AGREE);
  if (finding.distinctEvidence === 2) return Math.max(finding.confidence, TWO_AGREE);
  if (finding.authoritative) return ONE_AUTHORITATIVE;
  return finding.confidence < WEAK_BELOW ? finding.confidence : Math.max(finding.confidence, ONE_GENERAL);
}
