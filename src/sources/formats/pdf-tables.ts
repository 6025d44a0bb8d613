import { maxOf, minOf } from '../../lib/iterables';
import { median } from './pdf-columns';
import type { Fragment } from './pdf-fragments';
import { type Grid, readHeaders } from './pdf-table-headers';
import {
  areShort,
  type Column,
  endOfRun,
  isFarBelow,
  isFigure,
  isFigureRow,
  MISSING,
  overlaps,
  type Row,
  rowsOf,
  YEAR,
} from './pdf-table-rows';
import type { TableCell, TableRow } from './tables';

// Tables of a PDF page, by the positions of their cells. Doubtful tables stay plain lines.

export interface PlacedTable {
  rows: TableRow[];
  cells: readonly Fragment[];
}

const MIN_BODY_ROWS = 2;
const MAX_COLUMNS = 50;
/** A cell must be this far from the next column, in font sizes. */
const COLUMN_GAP = 0.3;
/** Steps of indented labels, in font sizes. */
const INDENT = 0.6;
const MAX_FRAGMENTS = 5_000;
/** Characters of a line of prose in a narrow column. */
const PROSE_CHARS = 14;

const DECIMAL = /\d[.,]\d/;

/** Adds the cells in doubt to `refused`, and does not try those again: half of a table is no table. */
export function findTables(
  fragments: readonly Fragment[],
  refused: Set<Fragment>,
): { tables: PlacedTable[]; rest: Fragment[] } {
  if (fragments.length > MAX_FRAGMENTS) return { tables: [], rest: [...fragments] };
  const rows = rowsOf(fragments.filter((fragment) => !refused.has(fragment)));
  const tables: PlacedTable[] = [];
  const used = new Set<Fragment>();
  let from = 0;
  while (from < rows.length) {
    const end = endOfRun(rows, from);
    const isApart = cutProse(rows, from, end);
    const found = end - from < MIN_BODY_ROWS ? 'cut' : isApart ? readTable(rows, from, end) : 'none';
    if (typeof found === 'object') {
      tables.push(found);
      for (const cell of found.cells) used.add(cell);
    } else if (found !== 'cut') {
      const run = rows.slice(from, end);
      for (const { cells } of run) for (const cell of cells) refused.add(cell);
      if (found === 'doubt') joinRows(rows.slice(topOf(rows, from), end), run);
    }
    from = Math.max(end, from + 1);
  }
  return { tables, rest: fragments.filter((fragment) => !used.has(fragment)) };
}

/**
 * Takes a column of text beside a table out of its rows: long lines, mostly in small letters, that go on below. False if
 * they do not go on, and may be of the table.
 */
function cutProse(rows: readonly Row[], from: number, end: number): boolean {
  const run = rows.slice(topOf(rows, from), end);
  if (run.length <= MIN_BODY_ROWS || run.some(({ cells }) => cells.length < 3)) return true;
  for (const place of [0, -1]) {
    const lines = run.flatMap(({ cells }) => cells.at(place) ?? []);
    const rest = run.flatMap(({ cells }) => (place === 0 ? cells.slice(1) : cells.slice(0, -1)));
    if (!areProse(lines, rest)) continue;
    const below: Fragment[] = [];
    for (let at = end; at < rows.length; at += 1) {
      const [row, above] = [rows[at], rows[at - 1]];
      const [cell] = row?.cells ?? [];
      if (row?.cells.length !== 1 || cell === undefined || isFarBelow(above, row)) break;
      if (!isBelow(lines[0], cell)) break;
      below.push(cell);
    }
    if (below.length === 0) return false;
    for (const row of run) row.cells = place === 0 ? row.cells.slice(1) : row.cells.slice(0, -1);
    // The table follows the text beside it.
    const last = maxOf([...lines, ...below].map(({ order }) => order));
    for (const [at, cell] of rest.entries()) cell.order = last + (at + 1) / (rest.length + 1);
  }
  return true;
}

function areProse([first, ...later]: readonly Fragment[], rest: readonly Fragment[]): boolean {
  if (first === undefined) return false;
  const lines = [first, ...later];
  const edge = maxOf(lines.map(({ right }) => right));
  return (
    later.every((line) => isBelow(first, line)) &&
    lines.every(({ left, right, chars }) => chars >= 2 * PROSE_CHARS && right - left > 0.6 * (edge - left)) &&
    2 * later.filter(({ text }) => /^\p{Ll}/u.test(text)).length > later.length &&
    rest.every(({ left, right }) => left > edge + first.fontSize || right < first.left - first.fontSize)
  );
}

function isBelow(first: Fragment | undefined, line: Fragment): boolean {
  return first !== undefined && Math.abs(line.left - first.left) < first.fontSize;
}

/** A table that is drawn by columns is read row by row all the same. */
function joinRows(rows: readonly Row[], body: readonly Row[]): void {
  const ordersOf = ({ cells }: Row): number[] => cells.map(({ order }) => order);
  const isByRows = body.every((row, at) => {
    const next = body[at + 1];
    return next === undefined || maxOf(ordersOf(row)) < minOf(ordersOf(next));
  });
  if (isByRows) return;
  const first = minOf(rows.flatMap(ordersOf));
  for (const [at, { cells }] of rows.entries())
    for (const cell of cells) cell.order = first + (at + 1) / (rows.length + 1);
}

/** First of the rows of cells above a row. */
function topOf(rows: readonly Row[], from: number): number {
  const [above, row] = [rows[from - 1], rows[from]];
  const isNear = above !== undefined && row !== undefined && !isFarBelow(above, row);
  return isNear && above.cells.length > 1 && areShort(above) ? topOf(rows, from - 1) : from;
}

/**
 * `cut` for a table beside another column of text, which may be whole within its own, `doubt` for rows of figures
 * whose headers are not sure, and `none` for all else that is no table.
 */
function readTable(rows: readonly Row[], from: number, end: number): PlacedTable | 'doubt' | 'none' | 'cut' {
  const size = median(rows.slice(from, end).map(({ fontSize }) => fontSize));
  let first = from;
  while (first < end && isHeaderLike(rows.slice(first, end))) first += 1;
  const figures = rows.slice(first, end).filter(isFigureRow);
  if (figures.length < MIN_BODY_ROWS) return 'none';
  const columns = columnsOf(figures, size);
  if (columns === null || !haveFigures(columns, figures)) return 'none';
  while (isLabelRow(rows[first - 1], rows[first], columns)) first -= 1;
  const body = rows.slice(first, end);
  const pitch = median(body.slice(1).map(({ y }, at) => (body[at]?.y ?? y) - y));
  const grid: Grid = { columns, size, pitch };
  const head = readHeaders(rows, from, first, grid);
  const read = readBody(body, grid);
  if (head === null || read === null) {
    const right = columns.at(-1)?.right ?? 0;
    if (body.some(({ cells: [cell] }) => cell !== undefined && cell.left > right)) return 'cut';
    if (figures.every(({ cells: [, ...values] }) => values.every(({ text }) => isFigure(text))))
      return 'doubt';
    const ends = figures.filter(({ cells }) => {
      const last = cells.at(-1);
      return last !== undefined && last.chars >= PROSE_CHARS && !isFigure(last.text);
    });
    return 2 * ends.length > figures.length ? 'cut' : 'none';
  }
  if (goesOn(rows, end, columns)) return 'cut';
  const headers: TableCell[] = head.texts.map((text) => ({ text, isHeader: true }));
  const cells = [...head.rows, ...body].flatMap((row) => row.cells);
  return { rows: [{ number: 1, cells: headers }, ...read], cells };
}

/** True if the row below has cells in several columns, but also prose. */
function goesOn(rows: readonly Row[], end: number, columns: readonly Column[]): boolean {
  const row = rows[end];
  if (row === undefined || isFarBelow(rows[end - 1], row) || areShort(row)) return false;
  const places = row.cells.map((cell) => columns.filter((column) => overlaps(column, cell)));
  return new Set(places.flatMap((found) => (found.length === 1 ? found : []))).size > 1;
}

/** A label of its own row above the first figures. */
function isLabelRow(
  row: Row | undefined,
  below: Row | undefined,
  [labels, next]: readonly Column[],
): boolean {
  const [cell, another] = row?.cells ?? [];
  if (row === undefined || below === undefined || cell === undefined || another !== undefined) return false;
  if (labels === undefined || next === undefined || isFarBelow(row, below)) return false;
  return overlaps(labels, cell) && cell.right < next.left;
}

/** True if the values of the first row are names, years or units, unlike those below. */
function isHeaderLike([row, ...below]: readonly Row[]): boolean {
  const [, ...values] = row?.cells ?? [];
  const cells = row?.cells.length === 1 ? [] : values;
  return (
    cells.length > 0 &&
    cells.every((cell) => {
      const under = below
        .flatMap((one) => one.cells.filter((other) => overlaps(cell, other)))
        .map(({ text }) => text);
      if (YEAR.test(cell.text)) return under.some((text) => !YEAR.test(text));
      if (DECIMAL.test(cell.text)) return false;
      return !isFigure(cell.text) || !under.some((text) => shapeOf(text) === shapeOf(cell.text));
    }) &&
    cells.some(({ text }) => YEAR.test(text) || !MISSING.test(text))
  );
}

/** `12.5 kg` and `3 kg` have one shape. */
function shapeOf(text: string): string {
  return text.replace(/[\d.,]+/g, '0');
}

/** Null if a row has two cells in one column. */
function columnsOf(rows: readonly Row[], size: number): Column[] | null {
  const columns: Column[] = [];
  const cells = rows.flatMap((row) => row.cells).sort((one, other) => one.left - other.left);
  for (const { left, right } of cells) {
    const last = columns.at(-1);
    if (last !== undefined && left < last.right + COLUMN_GAP * size) last.right = Math.max(last.right, right);
    else columns.push({ left, right });
  }
  const isClear = rows.every((row) => {
    const places = row.cells.map((cell) => columns.findIndex((column) => overlaps(column, cell)));
    return new Set(places).size === places.length;
  });
  return isClear && columns.length > 1 && columns.length <= MAX_COLUMNS ? columns : null;
}

/** True if most values in most columns are figures. */
function haveFigures(columns: readonly Column[], rows: readonly Row[]): boolean {
  const values = columns
    .slice(1)
    .map((column) => rows.flatMap(({ cells }) => cells.filter((cell) => overlaps(column, cell))));
  const isOfFigures = (cells: readonly Fragment[]): boolean =>
    2 * cells.filter(({ text }) => isFigure(text)).length > cells.length;
  const hasDigits = (cells: readonly Fragment[]): boolean => cells.some(({ text }) => /\d/.test(text));
  const ofFigures = values.filter(isOfFigures);
  return 2 * ofFigures.length >= values.length && ofFigures.some(hasDigits);
}

/** True for figures that are more than years. */
function hasValues({ cells: [, ...values] }: Row): boolean {
  return values.some(({ text }) => !YEAR.test(text) && (isFigure(text) || DECIMAL.test(text)));
}

/** Null if a row has no label, unless it goes on with the row above, as `(0.12)` below `0.52`. */
function readBody(body: readonly Row[], { columns, size, pitch }: Grid): TableRow[] | null {
  const edge = columns[0]?.left ?? 0;
  const rows: { texts: string[]; indent: number }[] = [];
  let begun = '';
  for (const [at, row] of body.entries()) {
    const [label] = row.cells;
    if (label === undefined) continue;
    const indent = Math.max(0, Math.round((label.left - edge) / (INDENT * size)));
    const last = rows.at(-1);
    if (row.cells.length === 1 && label.left < (columns[0]?.right ?? 0)) {
      const isNear = (other: Row | undefined): boolean =>
        other !== undefined && Math.abs(other.y - row.y) < 0.8 * pitch;
      const [isNearAbove, isNearBelow] = [isNear(body[at - 1]), isNear(body[at + 1])];
      if (isNearAbove && isNearBelow) return null;
      if (isNearBelow) begun = `${label.text} `;
      else if (last !== undefined && (isNearAbove || /^[\p{Ll}(]/u.test(label.text)))
        last.texts[0] = `${last.texts[0] ?? ''} ${label.text}`;
      else rows.push({ texts: columns.map((_column, place) => (place === 0 ? label.text : '')), indent });
      continue;
    }
    // Words or years above figures may be the headers of another table.
    if (!hasValues(row) && body.slice(at + 1).some(hasValues)) return null;
    const texts = columns.map(() => '');
    for (const cell of row.cells) {
      const [place, another] = columns.flatMap((column, one) => (overlaps(column, cell) ? [one] : []));
      if (place === undefined || another !== undefined || texts[place] !== '') return null;
      texts[place] = cell.text;
    }
    if (texts[0] !== '') {
      texts[0] = `${begun}${texts[0] ?? ''}`;
      begun = '';
      rows.push({ texts, indent });
    } else if (last !== undefined && row.cells.every(({ text }) => /^[([]/.test(text)))
      last.texts = columns.map((_column, place) => `${last.texts[place] ?? ''} ${texts[place] ?? ''}`.trim());
    else return null;
  }
  return rows.map(({ texts, indent }, at) => ({
    number: at + 2,
    cells: texts.map((text, place) => (place === 0 ? { text, indent } : { text })),
  }));
}
