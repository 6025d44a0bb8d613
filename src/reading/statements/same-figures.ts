import { negationsIn } from '../../language/negation';
import { numbersIn } from '../../language/numbers';
import { sameNumber } from '../../language/same-number';

/** Whether a text has a number, a date, a unit or a denial that the other text does not have. */
export function saysOtherwise(text: string, other: string): boolean {
  const known = numbersIn(other);
  const isNew = numbersIn(text).some((number) => !known.some((one) => sameNumber(number, one)));
  return isNew || negationsIn(text) !== negationsIn(other);
}
