import type { Standing } from '../../contracts/report/draft';
import type { Evidence } from '../../contracts/report/finding';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { quotedVerdict } from './quoted-verdict';

/** What is known of a claim of a draft that no audit has seen: how it was found to stand, or whether it quotes its evidence. */
export function unauditedVerdict(
  standing: Standing | undefined,
  claim: string,
  evidence: readonly Evidence[],
): Pick<ClaimVerdict, 'verdict' | 'code' | 'reason'> {
  if (standing === 'close') {
    const reason = 'The claim keeps to the words of what it cites.';
    return { verdict: 'supported', code: 'same-words', reason };
  }
  if (standing === 'confirmed') {
    const reason = 'A critic confirmed the claim with a quote of what it cites.';
    return { verdict: 'supported', code: 'critic', reason };
  }
  const quoted = quotedVerdict(claim, evidence);
  if (quoted !== null) return { verdict: quoted.verdict, code: quoted.code, reason: quoted.reason };
  const reason = 'The claim is not a quotation and was not audited.';
  return { verdict: 'unchecked', code: 'open', reason };
}
