import { greatest } from '../../../core/values/extremes';

/** A table whose first row is its header; of one row alone, a line. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows
    .map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()))
    .filter((row) => row.some((cell) => cell !== ''));
  const columns = greatest([0, ...cells.map(({ length }) => length)]);
  const [header, ...body] = cells;
  if (header === undefined) return '';
  if (body.length === 0) return header.filter((cell) => cell !== '').join(' ');
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_none, at) => row[at] ?? '').join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n');
}
