import { maxOf, minOf } from '../../lib/iterables';
import { type DocumentPart, MAX_DOCUMENT_CHARS, UnfitDocument } from './parsed-document';
import {
  type Block,
  columnName,
  columnRange,
  columnTexts,
  EMPTY_CELL,
  EMPTY_ROW,
  filled,
  HIDDEN_CELL,
  isNumberColumn,
  isSingle,
  NUMERIC,
  numberColumns,
  SAMPLED_ROWS,
  type TableCell,
  type TableRow,
} from './table-grid';
import {
  countMarkedRows,
  joinHeaderBlocks,
  joinHeaders,
  readHeaders,
  splitAtTitles,
  startOf,
  type Table,
} from './table-headers';

export { placeSpans, type SpannedCell, type TableCell, type TableRow } from './table-grid';

// Tables as statements: each row names its label and its headers, such as `Country: Norway; Women 2020: 14.`

/** A sheet with more rows is cited by ranges of rows. */
const MAX_PLACES = 2_000;

/** Titles, statements and notes, each a paragraph; empty without text. */
export function tableText(rows: readonly TableRow[]): string {
  return readTables(rows)
    .map(({ text }) => text)
    .join('\n\n');
}

/**
 * Parts of a sheet, cited as `row 12, columns A–C` in the words of `placeOf`. Rows without text separate tables.
 * `isHeaderFirst` is true where the first row is a header by convention, as in CSV.
 */
export function sheetParts(
  rows: readonly TableRow[],
  placeOf: (place: string) => string,
  isHeaderFirst = false,
): DocumentPart[] {
  const statements = readTables(rows, isHeaderFirst);
  const together = Math.ceil(statements.length / MAX_PLACES) || 1;
  const parts: DocumentPart[] = [];
  for (let at = 0; at < statements.length; at += together) {
    const group = statements.slice(at, at + together);
    parts.push({ text: group.map(({ text }) => text).join('\n\n'), name: placeOf(placeText(group)) });
  }
  return parts;
}

interface Statement {
  row: number;
  text: string;
  /** First and last column with text, from 0. */
  columns: readonly [number, number];
}

function readTables(rows: readonly TableRow[], isHeaderFirst = false): Statement[] {
  const statements: Statement[] = [];
  let chars = 0;
  const add = (row: TableRow, text: string): void => {
    chars += text.length;
    if (chars > MAX_DOCUMENT_CHARS) throw tooLongError();
    statements.push({ row: row.number, text, columns: columnRange([row]) });
  };
  let above: Table | null = null;
  const blocks = joinHeaderBlocks(splitTables(rows.map(tidyRow()).filter(isOwnRow)));
  for (const block of blocks.flatMap(splitAtTitles)) {
    const start = startOf(block);
    for (const row of block.slice(0, start)) add(row, bareText(row));
    const table = readHeaders(block.slice(start), above, isHeaderFirst);
    for (const row of table.before) add(row, bareText(row));
    addBody(table, add);
    if (table.body.length > 0) above = { headers: table.headers, body: table.body.slice(0, SAMPLED_ROWS) };
  }
  return statements;
}

/** False for a row that only continues the merged cells above it. */
function isOwnRow(row: TableRow, at: number, rows: Block): boolean {
  const above = rows[at - 1]?.cells;
  return filled(row).length === 0 || row.cells.some((cell, column) => cell !== above?.[column]);
}

function tidyRow(): (row: TableRow) => TableRow {
  const tidied = new Map<TableCell, TableCell>();
  const tidy = (cell: TableCell): TableCell => {
    if (!/\s\s|[^\S ]|^\s|\s$/.test(cell.text)) return cell;
    const text = cell.text.replace(/\s+/g, ' ').trim();
    const known = tidied.get(cell) ?? { ...cell, text, indent: cell.indent ?? cell.text.search(/\S|$/) };
    tidied.set(cell, known);
    return known;
  };
  return ({ number, cells }) => ({ number, cells: cells.map(tidy) });
}

/** At blank rows, and at a blank column before a table with labels of its own. */
function splitTables(rows: readonly TableRow[]): Block[] {
  const blocks: TableRow[][] = [[]];
  for (const row of rows) {
    if (filled(row).length > 0) blocks.at(-1)?.push(row);
    else if (blocks.at(-1)?.length !== 0) blocks.push([]);
  }
  return blocks.filter(({ length }) => length > 0).flatMap(splitColumns);
}

function splitColumns(block: Block): Block[] {
  const table = block.filter((row) => !isSingle(row));
  const [first, last] = columnRange(table);
  for (let gap = first + 2; gap < last - 1; gap += 1) {
    if (table.some(({ cells }) => cells[gap] === HIDDEN_CELL || (cells[gap]?.text ?? '') !== '')) continue;
    const [left, right] = [maskColumns(block, first, gap), maskColumns(block, gap + 1, last + 1)];
    const [header] = right;
    if (header === undefined || left.length < 2 || right.length < 2) continue;
    const [start] = columnRange(right);
    const isLabelled =
      columnTexts(start, right).length === right.length && !isNumberColumn(start, right.slice(1));
    const isLikeLeft = (left[0]?.cells[first]?.text ?? '') === (header.cells[start]?.text ?? '');
    if (isLabelled || isLikeLeft) return [...splitTables(left), ...splitTables(right)];
  }
  return [block];
}

function maskColumns(block: Block, from: number, to: number): TableRow[] {
  return block
    .map(({ number, cells }) => ({
      number,
      cells: cells.slice(0, to).map((cell, at) => (at < from ? EMPTY_CELL : cell)),
    }))
    .filter((row) => filled(row).length > 0);
}

function addBody({ headers, body }: Table, add: (row: TableRow, text: string) => void): void {
  const groups = rowGroups(body);
  const [first, end] = columnRange(body);
  let names = headers;
  for (let at = 0; at < body.length; at += 1) {
    const row = body[at] ?? EMPTY_ROW;
    const marked = at === 0 ? 0 : countMarkedRows(body.slice(at, at + 5));
    if (marked > 0) {
      names = joinHeaders(body.slice(at, at + marked));
      at += marked - 1;
    } else if (groups.labels.has(row) || isRepeatedHeader(row, names)) continue;
    // A label without values, or a note.
    else if (end > first && isSingle(row) && columnRange([row])[0] === first) add(row, bareText(row));
    else add(row, statementOf(row, names, groups.namesOf.get(row) ?? []));
  }
}

function isRepeatedHeader(row: TableRow, headers: readonly string[]): boolean {
  return !isSingle(row) && row.cells.every(({ text }, at) => text === '' || text === headers[at]);
}

interface RowGroups {
  labels: ReadonlySet<TableRow>;
  namesOf: ReadonlyMap<TableRow, readonly string[]>;
}

/** Labels over several rows: a merged cell over the whole row, or a cell alone over rows that are indented or repeat. */
function rowGroups(body: Block): RowGroups {
  const [from, to] = body.length === 0 ? [0, 0] : columnRange(body);
  const labelOf = (row: TableRow): TableCell => row.cells[from] ?? EMPTY_CELL;
  const indentOf = (row: TableRow): number => labelOf(row).indent ?? 0;
  const isAlone = (row: TableRow): boolean => to > from && labelOf(row).text !== '' && isSingle(row);
  const isWhole = (row: TableRow): boolean => isAlone(row) && row.cells[to] === row.cells[from];
  const repeated = repeatedLabels(body, from, isAlone);
  const labels = new Set<TableRow>();
  const namesOf = new Map<TableRow, readonly string[]>();
  let open: { text: string; holds: (row: TableRow) => boolean }[] = [];
  for (const [at, row] of body.entries()) {
    const next = body[at + 1];
    const indent = indentOf(row);
    open = open.filter(({ holds }) => holds(row));
    const { text } = labelOf(row);
    let holds: ((below: TableRow) => boolean) | null = null;
    if (next !== undefined && isAlone(row)) {
      if (indentOf(next) > indent) holds = (below) => indentOf(below) > indent;
      else if (isWhole(row) && !isWhole(next)) holds = (below) => !isWhole(below);
      else if (repeated.has(text)) holds = (below) => !isAlone(below) && repeated.has(labelOf(below).text);
    }
    if (holds !== null) {
      open.push({ text, holds });
      labels.add(row);
    } else if (open.length > 0)
      namesOf.set(
        row,
        open.map((label) => label.text),
      );
  }
  const last = body.at(-1);
  const values = body.filter((row) => row !== last && !labels.has(row));
  if (last !== undefined && labels.size > 1 && isTotal(last, values)) namesOf.delete(last);
  return { labels, namesOf };
}

/** Labels that stand alone in a row, and the labels below them that several of them share: `Men` below each year. */
function repeatedLabels(
  body: Block,
  column: number,
  isAlone: (row: TableRow) => boolean,
): ReadonlySet<string> {
  const owners = new Map<string, Set<string>>();
  const alone = new Set<string>();
  let owner = '';
  for (const row of body) {
    const text = row.cells[column]?.text ?? '';
    if (isAlone(row)) {
      if (alone.has(text)) return new Set();
      alone.add(text);
      owner = text;
    } else {
      const known = owners.get(text) ?? new Set();
      if (known.has(owner)) return new Set();
      owners.set(text, known.add(owner));
    }
  }
  if (alone.size < 2 || [...alone].some((text) => owners.has(text))) return new Set();
  const shared = [...owners].filter(([, known]) => known.size > 1).map(([text]) => text);
  return new Set(shared.length === 0 ? [] : [...shared, ...alone]);
}

/** True if each number is the sum of those above it, with or without subtotals. */
function isTotal(row: TableRow, rows: Block): boolean {
  const figureOf = ({ cells }: TableRow, column: number): number =>
    Number((cells[column]?.text ?? '').replace(/[,\s]/g, ''));
  const numbers = numberColumns(rows);
  return (
    numbers.length > 0 &&
    numbers.every((column) => {
      const sum = rows.reduce((total, one) => total + figureOf(one, column), 0);
      const own = figureOf(row, column);
      return Math.abs(sum - own) < 1e-6 * sum || Math.abs(sum - 2 * own) < 1e-6 * sum;
    })
  );
}

function statementOf({ cells }: TableRow, headers: readonly string[], groups: readonly string[]): string {
  const isUnnamed = cells.every(({ text }, at) => text === '' || (headers[at] ?? '') === '');
  const own = cells.flatMap((cell, at) => {
    const header = headers[at] ?? '';
    // A merged cell under equal headers is written once.
    const isRepeated = at > 0 && cell === cells[at - 1] && header === (headers[at - 1] ?? '');
    if (cell.text === '' || isRepeated) return [];
    return [{ ...cell, text: header === '' ? cell.text : `${header}: ${cell.text}` }];
  });
  const [label, ...values] = own;
  const isFact = values.length === 1 && !NUMERIC.test(label?.text ?? '');
  const isLabelled = isUnnamed && values.length > 0 && (label?.isHeader === true || isFact);
  const told = (isLabelled ? values : own).map(({ text }) => text).join('; ');
  const row = isLabelled ? `${(label?.text ?? '').replace(/:$/, '')}: ${told}` : told;
  const statement = [...groups, row].join('; ');
  return /[.!?]$/.test(statement) ? statement : `${statement}.`;
}

/** A title or a note as it is; several cells as a statement without headers. */
function bareText(row: TableRow): string {
  return isSingle(row) ? (filled(row)[0]?.text ?? '') : statementOf(row, [], []);
}

/** `row 12, columns A–C` or `rows 12–14, column B`. */
function placeText(group: readonly Statement[]): string {
  const from = minOf(group.map(({ row }) => row));
  const to = maxOf(group.map(({ row }) => row));
  const first = columnName(minOf(group.map(({ columns }) => columns[0])));
  const last = columnName(maxOf(group.map(({ columns }) => columns[1])));
  const rows = from === to ? `row ${from}` : `rows ${from}–${to}`;
  return `${rows}, ${first === last ? `column ${first}` : `columns ${first}–${last}`}`;
}

function tooLongError(): UnfitDocument {
  return new UnfitDocument(
    `its rows have more than ${MAX_DOCUMENT_CHARS.toLocaleString('en')} characters; split it into parts`,
  );
}
