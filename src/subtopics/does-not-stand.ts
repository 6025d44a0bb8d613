import type { ClaimVerdict } from '../contracts/verification/claim-verdict';

/** Whether its sources do not bear a statement. A low score alone says nothing of what is said in other words. */
export function doesNotStand({ verdict, code }: ClaimVerdict): boolean {
  return verdict === 'contradicted' || (verdict === 'unsupported' && code !== 'unlikely');
}
