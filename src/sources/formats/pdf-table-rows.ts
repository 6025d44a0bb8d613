import type { Fragment } from './pdf-fragments';

// Rows of cells on a PDF page, from top to bottom, and what tells rows of figures from prose.

/** Cells on one base line, from left to right. */
export interface Row {
  y: number;
  fontSize: number;
  cells: Fragment[];
}

export interface Column {
  left: number;
  right: number;
}

/** Longer texts are prose. */
const MAX_LABEL_CHARS = 60;
const MAX_CELL_CHARS = 50;
/** Share of the font size within which two base lines are one row. */
const SAME_ROW = 0.35;
/** Distance of rows in font sizes; headers are further apart. */
const MAX_ROW_GAP = 3.2;

export const YEAR = /^(?:1[89]|20)\d\d$/;
/** A number with its signs, units of up to three letters and marks of notes. */
const FIGURE = /^(?:\p{L}{1,3}[ .=]?)?[^\p{L}\d]*\d[^\p{L}]*(?:\p{L}{1,3})?[^\p{L}\d]*$/u;
/** Marks of missing values: `–`, `n/a`, `NA`, `…`. */
export const MISSING = /^(?:[^\p{L}\d=<>≤≥≠≈+×]{1,3}|\p{L}\.?\/?\p{L}?\.?)$/u;

export function rowsOf(fragments: readonly Fragment[]): Row[] {
  const rows: Row[] = [];
  for (const fragment of [...fragments].sort((one, other) => other.y - one.y)) {
    const row = rows.at(-1);
    const { y, fontSize } = fragment;
    if (row !== undefined && row.y - y < SAME_ROW * Math.min(fontSize, row.fontSize))
      row.cells.push(fragment);
    else rows.push({ y, fontSize, cells: [fragment] });
  }
  for (const { cells } of rows) cells.sort((one, other) => one.left - other.left);
  return rows;
}

/** End of the rows of figures from `from` on, with labels and continued lines between them. */
export function endOfRun(rows: readonly Row[], from: number): number {
  let end = from;
  for (let at = from; at < rows.length && at - end <= 2; at += 1) {
    const [row, before] = [rows[at], rows[at - 1]];
    if (row === undefined || (at > from && isFarBelow(before, row))) break;
    if (isFigureRow(row) || (at > from && at === end && areAlike(row, rows[end - 1]))) end = at + 1;
    else if (at === from || !areShort(row)) break;
  }
  return end;
}

export function isFarBelow(above: Row | undefined, row: Row): boolean {
  return above === undefined || above.y - row.y > MAX_ROW_GAP * Math.max(row.fontSize, above.fontSize);
}

/** True if each cell has one above it. */
function areAlike({ cells }: Row, above: Row | undefined): boolean {
  const others = above?.cells ?? [];
  return (
    cells.length > 1 &&
    cells.length === others.length &&
    cells.every(({ left, right, chars }, at) => {
      const other = others[at];
      return chars <= MAX_CELL_CHARS && other !== undefined && overlaps({ left, right }, other);
    })
  );
}

export function isFigureRow(row: Row): boolean {
  const [, ...values] = row.cells;
  return areShort(row) && values.some(({ text }) => isFigure(text));
}

export function areShort({ cells }: Row): boolean {
  return cells.every(({ chars }, at) => chars <= (at === 0 ? MAX_LABEL_CHARS : MAX_CELL_CHARS));
}

export function isFigure(text: string): boolean {
  return FIGURE.test(text) || MISSING.test(text);
}

export function overlaps(one: Column, other: Column): boolean {
  return one.left < other.right && other.left < one.right;
}
