import type { z } from 'zod';
import { allowedNumber } from '../../core/shapes/shape-problems';
import { numberGiven, type Unit } from '../../core/shapes/units';
import { toldValue } from '../../core/values/told-value';

interface NumberOption {
  flag: string;
  text: string;
  /** Of the number in the contract's unit. */
  schema: z.ZodType;
  /** What the text is in, where that is another. */
  unit?: Unit;
}

/** The number of a flag that is no setting; or what is wrong, as a sentence in the words that settings have. */
export function numberOption({ flag, text, schema, unit }: NumberOption): number | { problem: string } {
  const number = numberGiven(text, unit ?? null);
  if (number !== null && schema.safeParse(number).success) return number;
  return { problem: `${flag} is ${toldValue(text)}; allowed: ${allowedNumber(schema, unit ?? null)}.` };
}
