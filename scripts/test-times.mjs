// Where the time of `npm test` goes, as a table of Markdown: a row a file, the slowest first, and their sums.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** What is waited for, as `tests/support/time-spent.ts` counts it; some of it overlaps, and the rest is what a file does itself. */
const WAITING = ['loading', 'building', 'servers', 'commands', 'conditions'];

/** Of the lines that `tests/support/timed-environment.cjs` has written, one a file. */
export function timeTable(file, root) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const files = lines
    .map((line) => JSON.parse(line))
    .map(({ file: path, wholeMs, computingMs, spent }) => ({
      name: relative(root, path),
      seconds: [wholeMs, computingMs, ...WAITING.map((what) => spent[what] ?? 0)].map((ms) => ms / 1_000),
    }))
    .sort((one, other) => other.seconds[0] - one.seconds[0]);
  const sums = ['whole', 'computing', ...WAITING].map((_, at) =>
    files.reduce((sum, { seconds }) => sum + seconds[at], 0),
  );
  return [
    `| file | seconds | computing | ${WAITING.join(' | ')} |`,
    `| --- | --- | --- | ${WAITING.map(() => '---').join(' | ')} |`,
    ...[{ name: `all ${files.length}`, seconds: sums }, ...files].map(
      ({ name, seconds }) => `| ${[name, ...seconds.map((value) => value.toFixed(1))].join(' | ')} |`,
    ),
  ];
}
