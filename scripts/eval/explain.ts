import * as product from './product';
import type { RankedWithin } from './ranking';

const MOST = 10;
const TEXT = 60;

/** A table of the best sentences: the score, and what each feature adds to it, as its value × its weight. */
export function explained(
  ranked: readonly number[],
  { rows, weights }: RankedWithin,
  texts: readonly string[],
  isRight: (sentence: number) => boolean,
): string {
  const best = ranked.slice(0, MOST);
  const valueOf = (sentence: number, at: number): number => rows[sentence]?.[at] ?? 0;
  const weightOf = (at: number): number => weights.values[at] ?? 0;
  const used = product.FEATURES.map((name, at) => ({ name, at })).filter(({ at }) =>
    best.some((sentence) => valueOf(sentence, at) !== 0 && weightOf(at) !== 0),
  );
  const lines = best.map((sentence) => {
    const score = product.FEATURES.reduce(
      (sum, _name, at) => sum + valueOf(sentence, at) * weightOf(at),
      weights.intercept,
    );
    const parts = used.map(({ at }) => `${valueOf(sentence, at).toFixed(2)}×${weightOf(at).toFixed(2)}`);
    return [score.toFixed(2), isRight(sentence) ? 'yes' : '', ...parts, shortened(texts[sentence] ?? '')];
  });
  const header = ['score', 'right', ...used.map(({ name }) => name), 'sentence'];
  return `intercept ${weights.intercept}\n${table([header, ...lines])}\n`;
}

function table(lines: readonly (readonly string[])[]): string {
  const widthOf = (column: number): number => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const widths = lines[0]?.map((_cell, column) => widthOf(column)) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= TEXT ? line : `${line.slice(0, TEXT - 1)}…`;
}
