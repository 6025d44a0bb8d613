import type { Standing } from '../../contracts/report/draft';
import type { Evidence } from '../../contracts/report/finding';
import type { Verdict } from '../../contracts/verification/claim-verdict';
import { quoteVerdict } from './quote-verdict';

/** What can be said of a claim: by how it was found to stand, and where a model did not write it by its quotation marks. */
export function standingVerdict(
  standing: Standing | undefined,
  claim: string,
  evidence: readonly Evidence[],
): { verdict: Verdict; reason: string } {
  if (standing === 'close') {
    return { verdict: 'supported', reason: 'The claim keeps to the words of what it cites.' };
  }
  if (standing === 'confirmed') {
    return { verdict: 'supported', reason: 'A critic confirmed the claim with a quote of what it cites.' };
  }
  return quoteVerdict(claim, evidence);
}
