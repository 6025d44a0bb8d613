import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';

/** Whether nobody could tell of a claim whether what it cites says it: what it cites is there, and did not settle it. */
export function isOpen({ verdict, code }: Pick<ClaimVerdict, 'verdict' | 'code'>): boolean {
  return verdict === 'unchecked' && code !== 'no-passage';
}
