import { pageTexts } from '../../texts/page';
import { writingTexts } from '../../texts/writing';
import { confidenceWord } from '../../core/evidence/confidence';
import { capitalised } from '../../core/writing/within-sentence';
import type { DocumentClaim } from '../document';

/** How far a claim can be relied on; null where it has none. */
export function confidenceWords({ confidence, notCrossChecked }: DocumentClaim): string | null {
  if (confidence === null) return null;
  return capitalised(
    writingTexts.confidence(confidenceWord(confidence), notCrossChecked !== true, confidence),
  );
}

/** What a claim is marked with in the text, where it is not simply to be relied on; null for most. */
export function caution({ verdict, confidence, notCrossChecked }: DocumentClaim): string | null {
  if (verdict !== 'supported') return pageTexts.cautions[verdict];
  if (confidence !== null && confidenceWord(confidence) === 'Low') return pageTexts.cautions.low;
  return notCrossChecked ? pageTexts.cautions.notCrossChecked : null;
}
