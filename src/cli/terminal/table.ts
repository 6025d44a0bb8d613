import { greatest } from '../../core/values/extremes';
/** Columns padded to their widest cell, two spaces between them; the last column takes what is left of `width`. */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const lines = [header, ...rows];
  const widths = header.map((_title, column) => greatest(lines.map((line) => (line[column] ?? '').length)));
  return lines.map((line) => {
    const text = line
      .map((cell, column) => (column === line.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
    return text.length > width ? `${text.slice(0, width - 1)}…` : text;
  });
}
