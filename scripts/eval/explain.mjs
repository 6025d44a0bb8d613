import { built } from './built.mjs';

const MOST = 10;
const TEXT = 60;

/** A table of the best sentences: the score, and what each feature adds to it, as its value × its weight. */
export function explained(ranked, { rows, weights, texts, isRight }) {
  const { FEATURES } = built('reading/features/features.js');
  const best = ranked.slice(0, MOST);
  const used = FEATURES.map((name, at) => ({ name, at })).filter(({ at }) =>
    best.some((sentence) => rows[sentence][at] !== 0 && weights.values[at] !== 0),
  );
  const header = ['score', 'right', ...used.map(({ name }) => name), 'sentence'];
  const lines = best.map((sentence) => {
    const row = rows[sentence];
    const score = row.reduce((sum, value, at) => sum + value * weights.values[at], weights.intercept);
    const parts = used.map(({ at }) => `${row[at].toFixed(2)}×${weights.values[at].toFixed(2)}`);
    return [score.toFixed(2), isRight(sentence) ? 'yes' : '', ...parts, shortened(texts[sentence])];
  });
  return `intercept ${weights.intercept}\n${table([header, ...lines])}\n`;
}

function table(lines) {
  const widths = lines[0].map((_cell, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function shortened(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= TEXT ? line : `${line.slice(0, TEXT - 1)}…`;
}
