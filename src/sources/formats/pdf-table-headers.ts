import type { Fragment } from './pdf-fragments';
import { areShort, type Column, isFarBelow, isFigure, overlaps, type Row, YEAR } from './pdf-table-rows';

// Headers over the columns of a PDF table. A figure under half a header is worse than no table.

export interface Grid {
  /** The labels, then the values. */
  columns: readonly Column[];
  /** Of the font. */
  size: number;
  /** Distance of two rows. */
  pitch: number;
}

export interface Heading {
  /** Of each column, the lines from top to bottom. */
  texts: string[];
  rows: Row[];
}

const MAX_LABEL_HEADER_CHARS = 40;
const MAX_HEADER_ROWS = 8;
/** Places of cells may differ by so many font sizes. */
const TOLERANCE = 0.6;
/** Texts this many times further from the middle may be centred as well. */
const DOUBT = 3;
/** Distance of the lines of one header, in font sizes. */
const CLOSE_LINES = 1.4;

/** Reads upwards from row `first`, where the body begins. Null if it is in doubt which header belongs to a column. */
export function readHeaders(rows: readonly Row[], from: number, first: number, grid: Grid): Heading | null {
  const state: State = {
    columns: grid.columns.map((column) => ({ ...column })),
    texts: grid.columns.map(() => ''),
    tolerance: TOLERANCE * grid.size,
    isContinued: false,
  };
  const { columns, texts } = state;
  const used: Row[] = [];
  for (let at = first - 1; at >= 0; at -= 1) {
    const [row, below] = [rows[at], rows[at + 1]];
    if (row === undefined || below === undefined || isFarBelow(row, below) || isTitle(row, state)) break;
    const gap = row.y - below.y;
    state.isContinued = used.length > 0 && gap < CLOSE_LINES * grid.size;
    // Figures of another table, and a row of words that may be the first of the body.
    if (!areShort(row) || (at < from && hasFigures(row, columns[0])) || used.length === MAX_HEADER_ROWS)
      return null;
    if (row.cells.length === columns.length && areNamed(texts, 0) && gap > 0.9 * grid.pitch) return null;
    const spans = spansOf(row.cells, state);
    if (spans === null) return null;
    for (const { cell, from: start, to } of spans) {
      for (let place = start; place <= to; place += 1)
        texts[place] = `${cell.text} ${texts[place] ?? ''}`.trim();
      const column = columns[start];
      if (start !== to || column === undefined) continue;
      column.left = Math.min(column.left, cell.left);
      column.right = Math.max(column.right, cell.right);
    }
    used.unshift(row);
  }
  // `Rate (5)` and `Rate (7)` differ in a header above that was not found.
  const values = texts.slice(1).map((text) => text.replace(/\s*\(\d{1,2}\)$/, ''));
  const isSure = areNamed(texts, 1) && new Set(values).size === values.length;
  // One header alone may be a title.
  const isHeading = texts.filter((text) => text !== '').length > 1;
  const [label = ''] = texts;
  return isSure && isHeading && label.length <= MAX_LABEL_HEADER_CHARS ? { texts, rows: used } : null;
}

/** What is known from the rows below. */
interface State {
  /** As wide as the headers and cells of one column. */
  columns: Column[];
  texts: string[];
  tolerance: number;
  /** True if the row may be another line of the headers below it. */
  isContinued: boolean;
}

/** A line over the table: prose, or one text that covers the labels, or that is centred over all columns. */
function isTitle(row: Row, { columns, texts, tolerance }: State): boolean {
  const [cell, another] = row.cells;
  if (cell === undefined || another !== undefined) return false;
  const under = columns.flatMap((column, at) => (overlaps(column, cell) ? [at] : []));
  const isOverLabels = under[0] === 0 && (areNamed(texts, 1) || under.length > 1);
  return !areShort(row) || isOverLabels || isCentred(cell, columns[0], columns.at(-1), tolerance);
}

function hasFigures({ cells }: Row, labels: Column | undefined): boolean {
  const values = cells.filter((cell) => labels === undefined || !overlaps(cell, labels));
  return values.some(({ text }) => /\d/.test(text) && isFigure(text) && !YEAR.test(text));
}

function areNamed(texts: readonly string[], from: number): boolean {
  return texts.slice(from).every((text) => text !== '');
}

function centreOf({ left, right }: Column): number {
  return (left + right) / 2;
}

function isCentred(
  cell: Column,
  first: Column | undefined,
  last: Column | undefined,
  tolerance: number,
): boolean {
  if (first === undefined || last === undefined) return false;
  return Math.abs(centreOf(cell) - (first.left + last.right) / 2) < tolerance;
}

/** True if a text stands over this column alone. */
function isOver(cell: Column, at: number, { columns, tolerance }: State): boolean {
  const column = columns[at];
  if (column === undefined || columns.some((other) => other !== column && overlaps(cell, other)))
    return false;
  const shifts = [cell.left - column.left, cell.right - column.right, centreOf(cell) - centreOf(column)];
  return shifts.some((shift) => Math.abs(shift) < tolerance);
}

interface Span {
  cell: Fragment;
  /** First and last column. */
  from: number;
  to: number;
}

/** The columns of each header in a row; null if one of them is in doubt. */
function spansOf(cells: readonly Fragment[], state: State): Span[] | null {
  const tiles = tilesOf(cells, state);
  if (tiles !== null) return areSure(tiles, state) ? tiles : null;
  // A line alone over named columns may be a title.
  if (cells.length === 1 && areNamed(state.texts, 1) && !state.isContinued) return null;
  const spans: Span[] = [];
  for (const [at, cell] of cells.entries()) {
    const [place, another] = state.columns.flatMap((_column, one) => (isOver(cell, one, state) ? [one] : []));
    if (place === undefined || another !== undefined || place <= (spans.at(-1)?.to ?? -1)) return null;
    if (mayBeWider(cell, place, openColumns(cells, at, state), state)) return null;
    spans.push({ cell, from: place, to: place });
  }
  return spans;
}

/** True if a text over a named column may belong to the columns beside it as well. */
function mayBeWider(
  cell: Fragment,
  place: number,
  open: readonly number[],
  { columns, tolerance, isContinued }: State,
): boolean {
  const column = columns[place];
  if (column === undefined || !open.includes(place) || !open.includes(place + 1)) return false;
  if (!isCentred(cell, column, column, tolerance))
    return !isContinued || Math.abs(cell.right - column.right) >= tolerance;
  return (
    open.includes(place - 1) && isCentred(cell, columns[place - 1], columns[place + 1], DOUBT * tolerance)
  );
}

/** Named columns of values between the texts beside a text. */
function openColumns(cells: readonly Fragment[], at: number, { columns, texts }: State): number[] {
  const [before, behind] = [cells[at - 1]?.right ?? -Infinity, cells[at + 1]?.left ?? Infinity];
  return columns.flatMap((column, place) => {
    const isBetween = centreOf(column) > before && centreOf(column) < behind;
    return place > 0 && texts[place] !== '' && isBetween ? [place] : [];
  });
}

/** Headers that stand side by side over all columns of values, each over one or at the middle of several. */
function tilesOf(cells: readonly Fragment[], state: State): Span[] | null {
  const { columns, tolerance } = state;
  const [label] = cells;
  const tiles: Span[] = [];
  let from = label !== undefined && isOver(label, 0, state) ? 0 : 1;
  for (const cell of cells) {
    const to = columns.findIndex((column, at) => {
      if (at === from) return isOver(cell, at, state);
      return from > 0 && at > from && isCentred(cell, columns[from], column, tolerance);
    });
    if (to < 0) return null;
    tiles.push({ cell, from, to });
    from = to + 1;
  }
  return from === columns.length ? tiles : null;
}

/** False if a text is at the middle of other columns as well, unless all headers have as many columns. */
function areSure(tiles: readonly Span[], state: State): boolean {
  const { columns, texts, tolerance, isContinued } = state;
  const cells = tiles.map(({ cell }) => cell);
  // A title may be drawn in two pieces: `Table 5.` and its words.
  const [labels, values, another] = tiles;
  if (labels?.to === 0 && texts[0] !== '' && values !== undefined && values.from < values.to)
    if (another === undefined) return false;
  const areEqual = tiles.length > 1 && new Set(tiles.map(({ from, to }) => to - from)).size === 1;
  return tiles.every(({ cell, from, to }, at) => {
    if (from === to) return true;
    const open = openColumns(cells, at, state);
    if (!open.includes(from) || !open.includes(to)) return false;
    // The first line of a header over the middle column alone.
    if (isContinued && columns.some((_column, one) => isOver(cell, one, state))) return false;
    const isOther = (first: number, last: number): boolean =>
      last > first &&
      (first !== from || last !== to) &&
      isCentred(cell, columns[first], columns[last], DOUBT * tolerance);
    return areEqual || !open.some((first) => open.some((last) => isOther(first, last)));
  });
}
