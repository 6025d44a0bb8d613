import type { Verdict } from '../../contracts/verification/claim-verdict';
import { confidenceText, confidenceWord } from '../../core/evidence/confidence';
import type { DocumentClaim } from '../document';

/** What a reader is told of a verdict. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  supported: 'Supported by what it cites',
  inference: 'Inferred from what it cites',
  partial: 'Supported in part',
  contradicted: 'Contradicted by what it cites',
  unsupported: 'Not supported by what it cites',
  unchecked: 'Not checked',
};

/** The same of the claim's confidence; null where it has none. */
export function confidenceWords({ confidence, notCrossChecked }: DocumentClaim): string | null {
  if (confidence === null) return null;
  return `${confidenceText(confidence)}${notCrossChecked ? ', not cross-checked' : ''}`;
}

/** What a claim is marked with in the text, where it is not simply to be relied on; null for most. */
export function caution({ verdict, confidence, notCrossChecked }: DocumentClaim): string | null {
  if (verdict !== 'supported') return verdict === 'inference' ? 'inferred' : verdict;
  if (confidence !== null && confidenceWord(confidence) === 'Low') return 'low confidence';
  return notCrossChecked ? 'not cross-checked' : null;
}
