import { fractionsIn } from '../language/fractions';
import { numbersIn, type TextNumber } from '../language/numbers';
import { STOP_WORDS } from '../language/words';
import { isPartOfName } from './statement-tokens';

export interface HeldNumber {
  number: TextNumber;
  written: string;
}

/** `the 24th week` is week 24, and what is glued to letters (`GPT-4`) may be told apart from them. */
const LOOSE = /(?<![\d.,])\d+(?:\.\d+)?(?![\d])/g;

/** All that a sentence holds, for claims to be looked up in: amounts, fractions in words, ordinals, figures within names. */
export function heldNumbers(sentence: string): HeldNumber[] {
  const plain = plainNumbers(sentence);
  const told = claimedNumbers(plain);
  const taken = new Set(told.map(({ number }) => number.value));
  const loose = [...plain.matchAll(LOOSE)]
    .filter(([digits]) => !taken.has(Number(digits)))
    .map(({ 0: written, index }) => ({ number: bare(written, index), written }));
  const fractions = fractionsIn(plain).map((number) => ({
    number,
    written: plain.slice(number.start, number.end),
  }));
  return [...told, ...fractions, ...loose];
}

/** The amounts that a claim tells; figures that are part of a name are none. */
export function claimedNumbers(text: string): HeldNumber[] {
  const plain = plainNumbers(text);
  return numbersIn(plain)
    .filter((number) => !isPartOfName(plain, number) && !isFromSymbol(plain, number))
    .map((number) => ({
      number,
      written: plain.slice(number.start, Math.max(number.end, number.endOfUnit)),
    }));
}

/** An exponent, or what tells versions of a name apart: `10^-3`, `AlpacaEval 2`. */
function isFromSymbol(text: string, { start, unit, isDate }: TextNumber): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  if (/\^\(?[-−]?$/.test(before)) return true;
  const name = /[\p{L},] (\p{Lu}[\p{L}\p{N}-]*) $/u.exec(before)?.[1];
  return name !== undefined && unit === '' && !isDate && !STOP_WORDS.has(name.toLowerCase());
}

export function plainNumbers(text: string): string {
  return text.normalize('NFKC').replace(/[‐‑]/g, '-');
}

function bare(written: string, start: number): TextNumber {
  const end = start + written.length;
  return {
    value: Number(written),
    decimals: (written.split('.')[1] ?? '').length,
    unit: '',
    start,
    end,
    endOfUnit: end,
    isWord: false,
    isDate: false,
    isApproximate: false,
  };
}
