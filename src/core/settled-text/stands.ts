import type { Verdict } from '../../contracts/verification/claim-verdict';

export function stands({ verdict }: { verdict: Verdict }): boolean {
  return verdict === 'supported' || verdict === 'inference';
}
