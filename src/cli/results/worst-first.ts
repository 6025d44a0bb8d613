import type { Verdict } from '../../contracts/verification/claim-verdict';

/** In what order claims are listed: what a reader must know first. */
export const WORST_FIRST: readonly Verdict[] = [
  'contradicted',
  'unsupported',
  'partial',
  'unchecked',
  'inference',
  'supported',
];
