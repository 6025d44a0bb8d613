import type { Evidence } from '../../contracts/report/finding';
import type { Verdict } from '../../contracts/verification/claim-verdict';
import { quotedVerdict } from './quoted-verdict';

/** What can be said of a claim that no audit has seen, without judging its meaning: whether it quotes its evidence. */
export function quoteVerdict(
  claim: string,
  evidence: readonly Evidence[],
): { verdict: Verdict; reason: string } {
  const quoted = quotedVerdict(claim, evidence);
  return quoted === null
    ? { verdict: 'unchecked', reason: 'The claim is not a quotation and was not audited.' }
    : { verdict: quoted.verdict, reason: quoted.reason };
}
