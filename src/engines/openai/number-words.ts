import numberWords from './data/number-words.json';

const VALUES = new Map(Object.entries(numberWords.values));
const MULTIPLIERS = new Map(Object.entries(numberWords.multipliers));
const PARTS = [...VALUES.keys(), ...MULTIPLIERS.keys()];
const PART = new RegExp(`^(?:${PARTS.join('|')})$`);

/** The numbers that a text writes out in words: `twenty-four`, `a hundred`, `one hundred and five`. */
export function numbersInWords(text: string): number[] {
  const found: number[] = [];
  let run: string[] = [];
  const end = (): void => {
    const value = valueOf(run);
    if (value !== null) found.push(value);
    run = [];
  };
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+|[^\p{L}\s-]+/gu)) {
    if (PART.test(word)) run.push(word);
    // `and` goes on with a number, but does not begin one.
    else if (word !== 'and' || !MULTIPLIERS.has(run.at(-1) ?? '')) end();
  }
  end();
  return found;
}

function valueOf(run: readonly string[]): number | null {
  if (run.length === 0) return null;
  let whole = 0;
  let part = 0;
  for (const word of run) {
    const multiplier = MULTIPLIERS.get(word);
    if (multiplier === undefined) part += VALUES.get(word) ?? 0;
    else {
      const times = Math.max(1, part) * multiplier;
      part = multiplier > 100 ? 0 : times;
      if (multiplier > 100) whole += times;
    }
  }
  return whole + part;
}
