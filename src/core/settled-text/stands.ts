import type { Verdict } from '../../contracts/verification/claim-verdict';

/** Whether a claim stays in its text: what it cites says it, or it follows from that. */
export function stands({ verdict }: { verdict: Verdict }): boolean {
  return verdict === 'supported' || verdict === 'inference';
}
