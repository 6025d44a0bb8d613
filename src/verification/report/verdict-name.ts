import type { VerifiedClaim } from '../../contracts/verification/verified-report';
import { isOpen } from './is-open';

/** `supported`; of what stays open with how likely words make it: `unchecked 0.43`. */
export function verdictName(claim: Pick<VerifiedClaim, 'verdict' | 'code' | 'probability'>): string {
  const { verdict, probability } = claim;
  return isOpen(claim) && probability !== null ? `${verdict} ${probability.toFixed(2)}` : verdict;
}
