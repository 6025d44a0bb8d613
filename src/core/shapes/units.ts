import { rangeText } from './allowed-text';
import type { JsonSchema } from './json-schema';

/** What people give a number in, where a contract has another unit. */
export interface Unit {
  /** In the plural. */
  name: string;
  /** How many of the contract's it is. */
  size: number;
}

/** Of what is kept in milliseconds. */
export const MINUTES: Unit = { name: 'minutes', size: 60_000 };

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The number that a text says, in the contract's unit; null where it says none. It may be too large for a number. */
export function numberGiven(text: string, unit: Unit | null): number | null {
  if (!NUMBER.test(text.trim())) return null;
  const number = Number(text);
  return unit === null ? number : Math.round(number * unit.size);
}

export function allowedIn({ minimum, maximum, exclusiveMinimum }: JsonSchema, unit: Unit): string {
  const range: JsonSchema = Object.fromEntries(
    Object.entries({ minimum, maximum, exclusiveMinimum }).flatMap(([name, bound]) =>
      bound === undefined ? [] : [[name, bound / unit.size]],
    ),
  );
  return `a number of ${unit.name}${rangeText(range)}`;
}
