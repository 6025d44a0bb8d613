/** A count as texts write it: `132`, `1,234`, `1 234`, `twenty-four`, `one hundred and five`. */
const UNITS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen';
const TENS = 'twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety';
const SMALL = `(?:(?:${TENS})(?:[- ](?:${UNITS}))?|${UNITS})`;

export const NUMBER_WORDS = `(?:(?:${SMALL}|a) (?:hundred|thousand)(?:(?: and)? ${SMALL})?|${SMALL})`;
export const COUNT = `(?:\\d{1,3}(?:[,  ]\\d{3})+|\\d+|${NUMBER_WORDS})`;

const VALUES = new Map<string, number>();
UNITS.split('|').forEach((word, index) => VALUES.set(word, index + 1));
['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'].forEach((word, index) =>
  VALUES.set(word, (index + 2) * 10),
);
VALUES.set('fourty', 40);
VALUES.set('a', 1);

/** The value of a count, in digits or words, or null. */
export function countOf(text: string): number | null {
  const digits = text.replace(/[,  ](?=\d{3})/g, '');
  if (/^\d+$/.test(digits)) return Number(digits);
  let total = 0;
  for (const word of text.toLowerCase().split(/[- ]/)) {
    if (word === 'and') continue;
    if (word === 'hundred') total *= 100;
    else if (word === 'thousand') total *= 1_000;
    else {
      const value = VALUES.get(word);
      if (value === undefined) return null;
      total += value;
    }
  }
  return total > 0 ? total : null;
}
