import type { Finding } from '../../contracts/report/finding';
import { sentenceKey } from '../duplicates/near-duplicate-sentences';

/**
 * Whether a finding says no more than its quote does. One in words of its own says what somebody took from the quote: another
 * may take something else from it, and both stand.
 */
export function quotesAlone({ claim, evidence }: Pick<Finding, 'claim' | 'evidence'>): boolean {
  return sentenceKey(evidence[0]?.quote ?? claim) === sentenceKey(claim);
}
