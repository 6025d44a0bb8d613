import { spelledNumbers } from '../../../language/spelled-numbers';

/** From here on a number in digits keeps its power as a word: `2 million`. */
const SPELLED_POWER = 6;

/** The numbers that a text writes out in words, as they would stand in digits: `twenty-four`, `a hundred`, `two million`. */
export function numbersInWords(text: string): number[] {
  return spelledNumbers(text)
    .filter(({ kind }) => kind !== 'fold')
    .flatMap(({ value, decimals }) =>
      -decimals >= SPELLED_POWER ? [value, value * 10 ** decimals] : [value],
    );
}
