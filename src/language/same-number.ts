import type { TextNumber } from './numbers';
import { unitRatio } from './units';

type Amount = Pick<TextNumber, 'value' | 'decimals' | 'unit'> & { isApproximate?: boolean };

/** So far apart may numbers be of which one is only about right. */
const ABOUT = 0.06;

/** Whether two numbers may be one, rounded on one side or told in another unit: 12.3 % and 12 %, 1.5 g and 1,500 mg. */
export function sameNumber(a: Amount, b: Amount): boolean {
  return roundsTo(a, b) || roundsTo(b, a);
}

export function roundsTo(rounded: Amount, exact: Amount): boolean {
  const ratio = unitRatio(exact.unit, rounded.unit);
  if (ratio === null) return false;
  const value = exact.value * ratio;
  const distance = Math.abs(rounded.value - value);
  const rest = 1e-9 * Math.max(1, Math.abs(value));
  if (distance <= rest) return true;
  if (rounded.isApproximate === true && distance <= ABOUT * Math.abs(value)) return true;
  const [step, finer] = [10 ** -rounded.decimals, ratio * 10 ** -exact.decimals];
  return finer < step - rest && distance <= step / 2 + rest;
}
