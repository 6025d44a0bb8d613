import { numbersIn, type TextNumber } from '../../../language/numbers';
import { unitRatio } from '../../../language/units';

/** The numbers of a text that a shorter one lacks, and those that it adds, as they are written; each once. */
export function comparedNumbers(text: string, shorter: string): { lost: string[]; invented: string[] } {
  const [long, short] = [writtenNumbers(text), writtenNumbers(shorter)];
  const without = (one: readonly WrittenNumber[], other: readonly WrittenNumber[]): string[] => [
    ...new Set(
      one.filter((number) => !other.some((held) => isSame(number, held))).map(({ written }) => written),
    ),
  ];
  return { lost: without(long, short), invented: without(short, long) };
}

type WrittenNumber = TextNumber & { written: string };

function writtenNumbers(text: string): WrittenNumber[] {
  const plain = text.normalize('NFKC').replace(/[‐‑]/g, '-');
  return numbersIn(plain).map((number) => ({ ...number, written: plain.slice(number.start, number.end) }));
}

/** Nothing is rounded: the same value, in the same unit or in one that is told on one side alone. */
function isSame(one: TextNumber, other: TextNumber): boolean {
  const told = one.unit !== '' && other.unit !== '';
  const ratio = told ? unitRatio(one.unit, other.unit) : 1;
  if (ratio === null) return false;
  const [a, b] = [Math.abs(one.value * ratio), Math.abs(other.value)];
  return Math.abs(a - b) <= 1e-9 * Math.max(1, a, b);
}
