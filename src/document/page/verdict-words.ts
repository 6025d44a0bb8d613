import { pageTexts } from '../../texts/page';
import { writingTexts } from '../../texts/writing';
import { confidenceWord } from '../../core/evidence/confidence';
import { capitalised } from '../../core/writing/within-sentence';
import type { DocumentClaim } from '../document';

/** How far a claim can be relied on; null where it has none. */
export function confidenceWords({
  confidence,
  notCrossChecked,
}: Pick<DocumentClaim, 'confidence' | 'notCrossChecked'>): string | null {
  if (confidence === null) return null;
  return capitalised(
    writingTexts.confidence(confidenceWord(confidence), notCrossChecked !== true, confidence),
  );
}

/** What a claim is marked with in the text, where a check did not confirm it; null for most. */
export function caution({ verdict }: DocumentClaim): string | null {
  return verdict === 'supported' || verdict === 'inference' ? null : pageTexts.cautions[verdict];
}
