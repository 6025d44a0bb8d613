import type { TextNumber } from '../language/numbers';
import { roundsTo } from '../language/same-number';
import { unitNamed } from '../language/units';

/** Smaller numbers stand in every text, so that only its unit makes one of them that one. */
const SHORT = 100;

/** Whether the number of a claim is that of a sentence; one that is short needs its unit, but for a count of people. */
export function isSameAmount(claimed: TextNumber, cited: TextNumber): boolean {
  const isBare = (claimed.unit === '') !== (cited.unit === '');
  if (isBare && isShort(claimed) && kindOf(claimed.unit || cited.unit) !== 'person') return false;
  return roundsTo({ ...claimed, isApproximate: false }, cited);
}

/** `5`, but not `5.02` or `500`. */
export function isShort({ value, decimals }: TextNumber): boolean {
  return decimals <= 0 && Math.abs(value) < SHORT;
}

/** What a unit measures; of `mg/d` what stands first. */
export function kindOf(unit: string): string | undefined {
  return unitNamed(unit.split('/')[0] ?? '')?.kind;
}
