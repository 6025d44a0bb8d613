import type { Verdict, VerdictCounts } from '../../contracts/verification/claim-verdict';

export function countVerdicts(claims: readonly { verdict: Verdict }[]): VerdictCounts {
  const counts = {
    claims: claims.length,
    supported: 0,
    inference: 0,
    partial: 0,
    contradicted: 0,
    unsupported: 0,
    unchecked: 0,
  };
  for (const { verdict } of claims) counts[verdict] += 1;
  return counts;
}
