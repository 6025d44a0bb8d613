import type { TextNumber } from '../language/numbers';
import { roundsTo } from '../language/same-number';
import type { HeldNumber } from './held-numbers';

/** Of more numbers some pair comes to anything. */
const MOST_NUMBERS = 8;

/** Whether a number is what two numbers of a sentence come to: their difference, or one as a percentage of the other. */
export function isReckonedFrom(claimed: TextNumber, held: readonly HeldNumber[]): boolean {
  if (claimed.isDate || held.length > MOST_NUMBERS) return false;
  const amounts = held.map(({ number }) => number).filter(({ isDate }) => !isDate);
  return amounts.some((one) => amounts.some((other) => one !== other && isOf(claimed, one, other)));
}

function isOf(claimed: TextNumber, one: TextNumber, other: TextNumber): boolean {
  if (one.value <= other.value || other.value <= 0) return false;
  const decimals = Math.max(one.decimals, other.decimals);
  const difference = { value: one.value - other.value, decimals, unit: one.unit };
  if (one.unit === other.unit && roundsTo(claimed, difference)) return true;
  const share = { value: (100 * other.value) / one.value, decimals: claimed.decimals + 3, unit: '%' };
  return claimed.unit === '%' && one.unit !== '%' && other.unit !== '%' && roundsTo(claimed, share);
}
