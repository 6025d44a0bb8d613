import type { Verdict } from '../../contracts/verification/claim-verdict';

export const WORST_FIRST: readonly Verdict[] = [
  'contradicted',
  'unsupported',
  'partial',
  'unchecked',
  'inference',
  'supported',
];
