import type { ClaimVerdict, VerdictCode } from '../../contracts/verification/claim-verdict';

/** No model overrules them. */
const CERTAIN: readonly VerdictCode[] = [
  'same-words',
  'number-exchanged',
  'name-exchanged',
  'contrary',
  'negation',
  'number-absent',
  'misattributed',
];

/** Whether words alone tell for certain, so that no critic is asked. */
export function isDecidedByWords({ code }: ClaimVerdict): boolean {
  return CERTAIN.includes(code);
}
