import type { Finding } from '../../contracts/report/finding';

/** Findings from this confidence on are checked only where they give numbers (document 002). */
const CONFIDENT_ENOUGH = 0.8;

/**
 * Whether a finding is held against further sources; the others still stand against each other. Where support is sought for
 * all of them, that holds however sure they are.
 */
export function needsChecking(
  { confidence, claim }: Pick<Finding, 'confidence' | 'claim'>,
  { factChecking, checkAll = false }: { factChecking: boolean; checkAll?: boolean | undefined },
): boolean {
  return checkAll || confidence < CONFIDENT_ENOUGH || (factChecking && /\d/.test(claim));
}
