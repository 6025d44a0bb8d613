import { maxOf, minOf } from '../../lib/iterables';
import { UnfitDocument } from './parsed-document';

// Cells of tables by row and column, and the kinds of columns.

/** A merged cell is the same object in every place that it covers. */
export interface TableCell {
  readonly text: string;
  /** True if the document itself marks the cell as a header. */
  readonly isHeader?: boolean;
  /** Indentation, which puts a row under a label above it. Default: leading blanks. */
  readonly indent?: number;
}

export interface TableRow {
  /** As the document counts its rows, from 1. */
  number: number;
  /** By column; shorter rows end in empty cells. */
  cells: readonly TableCell[];
}

/** A cell as Word, HTML and PowerPoint write it: once, with the number of columns and rows that it covers. */
export interface SpannedCell extends TableCell {
  columns?: number;
  rows?: number;
}

/** Rows with text that no blank row separates. */
export type Block = readonly TableRow[];

export const EMPTY_CELL: TableCell = { text: '' };
/** In a hidden column, which separates no tables. */
export const HIDDEN_CELL: TableCell = { text: '' };
export const EMPTY_ROW: TableRow = { number: 0, cells: [] };

export const MAX_COLUMNS = 16_384;
export const MAX_CELLS = 2_000_000;
/** Kinds of columns are those of so many rows. */
export const SAMPLED_ROWS = 50;
/** Digits with signs, units of up to three letters and marks such as `*`, but no words. */
export const NUMERIC = /^(?:\p{L}{1,3}[ .]?)?[^\p{L}\d]*\d[^\p{L}]*(?:\p{L}{1,3})?[^\p{L}\d]*$/u;
/** `–`, `..`, `n/a`, and every word of up to three letters. */
export const MISSING = /^(?:[^\p{L}\d]*|(?:\p{L}[./]?){1,3})$/u;

/** Puts each cell in every place that it covers. Throws `UnfitDocument` beyond two million places. */
export function placeSpans(rows: readonly (readonly SpannedCell[])[]): TableRow[] {
  const grid: TableCell[][] = rows.map(() => []);
  let places = 0;
  for (const [at, row] of rows.entries()) {
    let column = 0;
    for (const cell of row) {
      while (grid[at]?.[column] !== undefined) column += 1;
      const { columns = 1, rows: down = 1 } = cell;
      const last = Math.min(MAX_COLUMNS, column + Math.max(1, columns));
      for (const below of grid.slice(at, at + Math.max(1, down))) {
        for (let place = column; place < last; place += 1) below[place] ??= cell;
        places += last - column;
        if (places > MAX_CELLS)
          throw new UnfitDocument(`a table of it has more than ${MAX_CELLS.toLocaleString('en')} cells`);
      }
      column = last;
    }
  }
  return grid.map((cells, at) => ({
    number: at + 1,
    cells: Array.from(cells, (cell: TableCell | undefined) => cell ?? EMPTY_CELL),
  }));
}

/** Distinct cells with text; a merged cell counts once. */
export function filled({ cells }: TableRow): TableCell[] {
  return [...new Set(cells)].filter(({ text }) => text !== '');
}

export function isSingle({ cells }: TableRow): boolean {
  const own = cells.find(({ text }) => text !== '');
  return own !== undefined && cells.every((cell) => cell === own || cell.text === '');
}

/** First and last column with text, from 0. */
export function columnRange(rows: Block): readonly [number, number] {
  const hasText = ({ text }: TableCell): boolean => text !== '';
  return [
    minOf(rows.map(({ cells }) => cells.findIndex(hasText))),
    maxOf(rows.map(({ cells }) => cells.findLastIndex(hasText))),
  ];
}

export function numberColumns(body: Block): number[] {
  const width = maxOf([0, ...body.slice(0, SAMPLED_ROWS).map(({ cells }) => cells.length)]);
  return Array.from({ length: width }, (_none, column) => column).filter((column) =>
    isNumberColumn(column, body),
  );
}

export function isNumberColumn(column: number, body: Block): boolean {
  const texts = columnTexts(column, body);
  const numbers = texts.filter((text) => NUMERIC.test(text)).length;
  return numbers > 0 && 2 * numbers > texts.filter((text) => !MISSING.test(text)).length;
}

export function columnTexts(column: number, body: Block): string[] {
  return body
    .slice(0, SAMPLED_ROWS)
    .map(({ cells }) => cells[column]?.text ?? '')
    .filter((text) => text !== '');
}

/** `A` for 0, `AB` for 27. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : `${columnName(Math.floor(column / 26) - 1)}${letter}`;
}
