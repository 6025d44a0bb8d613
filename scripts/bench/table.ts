// How figures are written: numbers with their units, medians between the least and the greatest, tables.

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 9_950 ? 2 : 1)} s`;
export const tenths = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
export const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 9.95e6 ? 1 : 0)} MB`;
export const kilobytes = (bytes: number): string => `${(bytes / 1e3).toFixed(0)} KB`;
export const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
export const plain = (value: number): string => String(Math.round(value));
export const grouped = (value: number): string => value.toLocaleString('en-GB');
export const NOT_MEASURED = 'not measured on this system';

/** A target, and whether it was met. */
export function judged(target: string, isMet: boolean): string {
  return `${target}: ${isMet ? 'met' : '**missed**'}`;
}

/** The median of numbers, with the least and the greatest. */
export function spread(numbers: readonly number[]): { median: number; min: number; max: number } {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
  return { median, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN };
}

/** The median before the least and the greatest. */
export function range(values: readonly number[], show: (value: number) => string): string {
  const { median, min, max } = spread(values);
  return `${show(median)} (${show(min)} – ${show(max)})`;
}

/** The same, without what says the same; where nothing was measured that is said. */
export function shortRange(values: readonly number[], show: (value: number) => string): string {
  if (values.length === 0) return NOT_MEASURED;
  const { median, min, max } = spread(values);
  return show(min) === show(max) ? show(median) : range(values, show);
}

export type Row = readonly string[];

export function table(headers: Row, rows: readonly Row[]): string {
  const head = `| ${headers.join(' | ')} |`.replace(/ {2}\|/g, ' |');
  const line = `|${' --- |'.repeat(headers.length)}`;
  return [head, line, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
}

/** A row for each figure, a column for each that was measured. */
export function columns<Measured>(
  titles: Row,
  figures: readonly (readonly [string, (one: Measured) => string])[],
  measured: readonly Measured[],
): string {
  const rows = figures.map(([name, show]) => [name, ...measured.map(show)]);
  return table(['figure', ...titles], rows);
}
