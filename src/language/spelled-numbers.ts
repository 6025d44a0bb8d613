import data from './data/number-words.json';

/** A number in words; `decimals` is negative where it is only told to the thousand or the million. */
export interface SpelledNumber {
  value: number;
  decimals: number;
  /** `×` for what tells how many times; a bare `one` may be a pronoun. */
  kind: 'count' | 'one' | 'fold';
  start: number;
  end: number;
}

const cardinals = new Map<string, number>(Object.entries(data.cardinals));
const powers = new Map<string, number>(Object.entries(data.powersOfTen));
const folds = new Map<string, number>(Object.entries(data.folds));

/** An article counts as one before a power: `a hundred`. */
const ONE_POWER = `a(?=\\s(?:${[...powers.keys()].filter((power) => power.length > 2).join('|')})(?!\\p{L}))`;
const WORD = new RegExp(
  `(?<![\\p{L}\\d])(?:${[...cardinals.keys(), ...folds.keys(), ONE_POWER].join('|')})(?!\\p{L})`,
  'giu',
);
const NEXT = /^(?:[\s-]+and)?[\s-]+(\p{L}+)/u;

export function spelledNumbers(text: string): SpelledNumber[] {
  const found: SpelledNumber[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (index < (found.at(-1)?.end ?? 0)) continue;
    const fold = folds.get(word.toLowerCase());
    found.push(
      fold === undefined
        ? countAt(text, index, word)
        : { value: fold, decimals: 0, kind: 'fold', start: index, end: index + word.length },
    );
  }
  return found;
}

/** `million` after a number, with how far it goes: the number's zeros are not told. */
export function powerOfTenAfter(text: string): { power: number; length: number } | null {
  const match = /^([\s\u00a0-]?)(\p{L}+)(?![\p{L}\d])/u.exec(text);
  const [whole = '', gap = '', word = ''] = match ?? [];
  const power = powers.get(word);
  // `0.5 M` is no million.
  if (power === undefined || (word.length === 1 && gap !== '')) return null;
  return { power, length: whole.length };
}

/** `twenty-one`, `three hundred and five thousand`: from the first word as far as the words make one number. */
function countAt(text: string, start: number, first: string): SpelledNumber {
  let [total, current, decimals] = [0, cardinals.get(first.toLowerCase()) ?? 1, 0];
  let end = start + first.length;
  for (;;) {
    const next = NEXT.exec(text.slice(end));
    const word = (next?.[1] ?? '').toLowerCase();
    const [digit, power] = [cardinals.get(word), powers.get(word)];
    if (next === null || (word.length < 2 && power !== undefined)) break;
    const hasAnd = /\band\b/.test(next[0]);
    if (power !== undefined && !hasAnd && current > 0 && current < (power === 2 ? 100 : 1_000)) {
      if (power === 2) current *= 100;
      else [total, current] = [total + current * 10 ** power, 0];
      decimals = -power;
    } else if (digit !== undefined && fits(total + current, current, digit, hasAnd)) {
      current += digit;
      decimals = 0;
    } else break;
    end += next[0].length;
  }
  const value = total + current;
  return { value, decimals, kind: value === 1 ? 'one' : 'count', start, end };
}

/** A smaller number may follow tens, and any below a hundred may follow hundreds and thousands; only there with `and`. */
function fits(sum: number, current: number, digit: number, hasAnd: boolean): boolean {
  if (digit === 0 || sum === 0) return false;
  if (current % 100 === 0) return true;
  return !hasAnd && digit < 10 && current % 100 >= 20 && current % 10 === 0;
}
