import type { Verdict } from '../../contracts/verification/claim-verdict';
import { countVerdicts } from '../settled-text/count-verdicts';
import { count } from '../writing/count';

/** `Of 12 claims 9 are supported, 1 in part, 2 unchecked.`: what the verifier counted, for a reader. */
export function toldVerdicts(written: readonly { verdict: Verdict }[]): string {
  const { claims, supported, inference, partial, unchecked, unsupported, contradicted } =
    countVerdicts(written);
  if (claims === 0) return 'No claim of it was checked.';
  const others = [
    [inference, 'inferred'],
    [partial, 'in part'],
    [unchecked, 'unchecked'],
    [unsupported, 'unsupported'],
    [contradicted, 'contradicted'],
  ] as const;
  const told = others.flatMap(([amount, name]) => (amount === 0 ? [] : [`${amount} ${name}`]));
  return `Of ${count(claims, 'claim')} ${[`${supported} ${supported === 1 ? 'is' : 'are'} supported`, ...told].join(', ')}.`;
}
