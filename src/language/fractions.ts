import data from './data/fractions.json';
import type { TextNumber } from './numbers';

const divisors = new Map<string, number>(Object.entries(data.divisors));
const counts = new Map<string, number>(Object.entries(data.counts));
const FRACTION = new RegExp(
  `(?<!\\p{L})(?:(${[...counts.keys()].join('|')})[\\s-])?(${[...divisors.keys(), 'halves'].join('|')})s?(?!\\p{L})`,
  'giu',
);

/** Fractions in words (`two thirds`, `half`, `a quarter`) as percentages, only told to the whole one. */
export function fractionsIn(text: string): TextNumber[] {
  return [...text.matchAll(FRACTION)].flatMap(({ 0: written, 1: count, 2: divisor = '', index }) => {
    const by = divisors.get(divisor.toLowerCase()) ?? 2;
    // A `third` without a count is an ordinal; `half` is not.
    if (count === undefined && by !== 2) return [];
    const parts = counts.get((count ?? 'a').toLowerCase()) ?? 1;
    const end = index + written.length;
    return {
      value: (100 * parts) / by,
      decimals: 1,
      unit: '%',
      start: index,
      end,
      endOfUnit: end,
      isWord: true,
      isDate: false,
      isApproximate: false,
    };
  });
}
