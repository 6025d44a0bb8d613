import type { Texts } from '../../texts/texts';
import { confidenceWord } from '../../core/evidence/confidence';
import { capitalised } from '../../core/writing/within-sentence';
import type { DocumentClaim } from '../document';

/** How far a claim can be relied on; null where it has none. */
export function confidenceWords(
  { confidence, notCrossChecked }: DocumentClaim,
  { writing }: Texts,
): string | null {
  if (confidence === null) return null;
  return capitalised(writing.confidence(confidenceWord(confidence), notCrossChecked !== true, confidence));
}

/** What a claim is marked with in the text, where it is not simply to be relied on; null for most. */
export function caution(
  { verdict, confidence, notCrossChecked }: DocumentClaim,
  { cautions }: Texts['page'],
): string | null {
  if (verdict !== 'supported') return cautions[verdict];
  if (confidence !== null && confidenceWord(confidence) === 'Low') return cautions.low;
  return notCrossChecked ? cautions.notCrossChecked : null;
}
