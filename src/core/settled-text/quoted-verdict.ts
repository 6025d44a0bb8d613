import type { Evidence } from '../../contracts/report/finding';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { evidenceQuotation } from '../writing/lead-in';
import { quotation } from '../writing/quotation';

/**
 * A claim that carries the words of its evidence in quotation marks is supported by them, whatever frames them; null for one
 * that does not. That the evidence stands in its source at its offsets was checked when the finding was made.
 */
export function quotedVerdict(claim: string, evidence: readonly Evidence[]): ClaimVerdict | null {
  const quoted = evidence.filter(({ quote }) =>
    [quotation(quote), evidenceQuotation(quote)].some((words) => claim.includes(words)),
  );
  const [first] = quoted;
  if (first === undefined) return null;
  const sources = new Set(quoted.map(({ sourceId }) => sourceId)).size;
  return {
    verdict: 'supported',
    code: 'same-words',
    reason:
      sources === 1
        ? 'The claim quotes its source word for word.'
        : `The claim quotes ${sources} sources word for word.`,
    evidence: first,
    probability: null,
  };
}
