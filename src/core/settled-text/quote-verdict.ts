import type { Evidence } from '../../contracts/report/finding';
import type { Verdict } from '../../contracts/verification/claim-verdict';
import { quotation } from '../writing/quotation';

/**
 * What can be said of a claim without judging its meaning: where it carries the words of its evidence in quotation
 * marks, it is supported; worded otherwise it is left to the audit. That the evidence stands in its source at its
 * offsets was checked when the finding was made.
 */
export function quoteVerdict(
  claim: string,
  evidence: readonly Evidence[],
): { verdict: Verdict; reason: string } {
  const quoted = new Set(
    evidence.filter((item) => claim.includes(quotation(item.quote))).map((item) => item.sourceId),
  );
  if (quoted.size === 0)
    return { verdict: 'unchecked', reason: 'The claim is not a quotation and was not audited.' };
  return {
    verdict: 'supported',
    reason: `The claim quotes ${quoted.size === 1 ? 'its source' : `${quoted.size} sources`} word for word.`,
  };
}
