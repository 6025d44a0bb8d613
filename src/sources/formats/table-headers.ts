import { maxOf } from '../../lib/iterables';
import {
  type Block,
  columnRange,
  columnTexts,
  EMPTY_ROW,
  filled,
  isNumberColumn,
  isSingle,
  MISSING,
  numberColumns,
  NUMERIC,
  SAMPLED_ROWS,
  type TableRow,
} from './table-grid';

// Headers of tables. A value without a header is better than one under a wrong header.

/** Header rows are searched in so many rows. */
const MAX_ROWS_ABOVE = 15;
const YEAR = /^(?:1[89]|20)\d\d$/;
/** A number without a range, a code or a date: `-1,204.5%`, `<0.001`, `(12)`. */
const PLAIN = /^[-+−–~<>=≤≥(\p{Sc}\s]*\d[\d.,'’\s]*[%)*†‡\p{Sc}\s]*$/u;
/** Without a word, a figure or a unit. */
const BLANK = /^[-–—−.…*:·/\s]+$/;

/** The table above, whose headers may hold for the rows behind a blank row. */
export interface Table {
  headers: readonly string[];
  body: Block;
}

/** `before` are rows above the headers. */
export interface ReadTable extends Table {
  before: Block;
}

export function readHeaders(rows: Block, above: Table | null, isHeaderFirst: boolean): ReadTable {
  const found = findHeaders(rows);
  if (found !== null) {
    const { at, count } = found;
    const headers = joinHeaders(rows.slice(at, at + count));
    const body = rows.slice(at + count);
    const [first] = body;
    const isCounted = first !== undefined && isColumnCount(first, body.slice(1));
    return { headers, before: rows.slice(0, at), body: isCounted ? body.slice(1) : body };
  }
  if (above !== null && isContinued(above, rows)) return { headers: above.headers, before: [], body: rows };
  const isNew = above === null || !isWithin(rows, above.body);
  const [header, ...body] = rows;
  if (header !== undefined && isNew && isTextHeader(header, body, isHeaderFirst))
    return { headers: joinHeaders([header]), before: [], body };
  return { headers: [], before: [], body: rows };
}

/** Joins header rows to the rows behind a blank row. */
export function joinHeaderBlocks(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const above = joined.at(-1) ?? [];
    const headers = above.slice(startOf(above));
    const isHeader =
      headers.length > 0 && headers.length < 3 && headers.every((row) => isHeaderOf(row, block));
    const [from, to] = columnRange(block);
    const isFact = block.length === 1 && to - from < 2;
    if (isHeader && !isFact && !isSingle(block[0] ?? EMPTY_ROW) && findHeaders(block) === null)
      joined.splice(-1, 1, [...above, ...block]);
    else joined.push(block);
  }
  return joined;
}

/**
 * Splits a block at titles above further headers. In doubt, as with one column of numbers, the rows behind such a
 * header have none.
 */
export function splitAtTitles(block: Block): Block[] {
  for (let at = startOf(block) + 1; at < block.length - 2; at += 1) {
    const [title, header] = [block[at], block[at + 1]];
    if (title === undefined || header === undefined || !isSingle(title) || isSingle(header)) continue;
    if (filled(header).some(({ text }) => PLAIN.test(text) && !YEAR.test(text))) continue;
    const body = block.slice(at + 2, at + 2 + SAMPLED_ROWS);
    if (!isHeaderOf(header, body) || !namesNumbers([header], body)) continue;
    const before = block.slice(0, at);
    if (numberColumns(body).length > 1) return [before, ...splitAtTitles(block.slice(at))];
    return [before, block.slice(at, at + 2), ...splitAtTitles(block.slice(at + 2))];
  }
  return [block];
}

/** The number of titles above the first row of a table. A header over several columns is no title. */
export function startOf(block: Block): number {
  const [first, last] = columnRange(block);
  const isTitle = (row: TableRow, at: number): boolean => {
    const [from, to] = columnRange([row]);
    const next = block[at + 1];
    const isSpanning = from > first && (to > from || from === first + 1) && from < last;
    return isSingle(row) && !(isSpanning && next !== undefined && !isSingle(next));
  };
  const start = block.findIndex((row, at) => !isTitle(row, at));
  if (start >= 0) return start;
  const isNumbers = first === last && block.length > 1 && isHeaderOf(block[0] ?? EMPTY_ROW, block.slice(1));
  return isNumbers ? 0 : block.length;
}

/** The rows that name the columns of numbers below them, or that the document marks as headers. */
function findHeaders(rows: Block): { at: number; count: number } | null {
  const [from, to] = columnRange(rows);
  for (let at = 0; at < Math.min(rows.length - 1, MAX_ROWS_ABOVE); at += 1) {
    const marked = countMarkedRows(rows.slice(at));
    let count = marked > 0 ? marked : countHeaderRows(rows.slice(at, at + SAMPLED_ROWS));
    if (marked > 0 && isUnmarkedHeader(rows.slice(at, at + count), rows.slice(at + count))) count += 1;
    if (at + count >= rows.length) return null;
    if (count > 0) return { at, count };
    // Only facts such as `Source | Eurostat` stand above headers.
    if (to - from < 2 || filled(rows[at] ?? EMPTY_ROW).length > 2) return null;
  }
  return null;
}

/** A second header row that the document does not mark: it has no label and names numbers below merged headers. */
function isUnmarkedHeader(headers: Block, rows: Block): boolean {
  const [row, ...body] = rows;
  const [label] = columnRange([...headers, ...rows]);
  const above = headers.at(-1)?.cells ?? [];
  const isOwn = (at: number): boolean =>
    (row?.cells[at]?.text ?? '') !== '' && row?.cells[at]?.text !== above[at]?.text;
  return !isOwn(label) && numberColumns(body).some(isOwn) && isFurtherHeader(headers, rows);
}

/** Leading rows whose cells with text are all marked as headers. A label over the whole row is no header. */
export function countMarkedRows(rows: Block): number {
  const isMarked = (row: TableRow): boolean => {
    const own = filled(row);
    return own.length > 1 && own.every(({ isHeader }) => isHeader === true);
  };
  const end = rows.findIndex((row) => !isMarked(row));
  return end < 0 ? 0 : end;
}

/** 0 unless each column of numbers has a name. */
function countHeaderRows(rows: Block): number {
  const [first] = rows;
  if (first === undefined || !isLabels(first, rows.slice(1))) return 0;
  let count = 1;
  while (count < rows.length - 1 && isFurtherHeader(rows.slice(0, count), rows.slice(count))) count += 1;
  const body = rows.slice(count);
  if (!namesNumbers(rows.slice(0, count), body)) return 0;
  // A sheet of facts, such as `Author | Ada Lund` above `Pages | 31`.
  const [from, to] = columnRange(rows);
  const isPair = to - from === 1;
  const isMixed = columnTexts(to, body).some((text) => !NUMERIC.test(text) && !MISSING.test(text));
  return isPair && (isMixed || isKeys(from, rows)) ? 0 : count;
}

/** True if each column of numbers has a name. `n/a` in each of several columns is none. */
function namesNumbers(headers: Block, body: Block): boolean {
  const numbers = numberColumns(body);
  const names = joinHeaders(headers);
  const cells = new Set(numbers.map((column) => headers.at(-1)?.cells[column]));
  const isAlike = numbers.length > 1 && new Set(numbers.map((column) => names[column])).size === 1;
  return (
    numbers.length > 0 &&
    numbers.every((column) => isName(names[column] ?? '')) &&
    (!isAlike || cells.size === 1)
  );
}

function isName(text: string): boolean {
  return text !== '' && !BLANK.test(text);
}

/** True if each number in the row would be a name, such as a year over other figures. */
function isLabels({ cells }: TableRow, body: Block): boolean {
  return cells.every(({ text }, column) => text === '' || isLabelIn(text, column, body));
}

/** True if the row names the numbers below it. Short words may be `n/a`. */
function isHeaderOf(row: TableRow, body: Block): boolean {
  const named = numberColumns(body).map((column) => row.cells[column]?.text ?? '');
  return named.length > 0 && named.every((text) => !MISSING.test(text)) && isLabels(row, body);
}

/** True if the first of `rows` distinguishes columns that the headers above leave alike or without a name. */
function isFurtherHeader(headers: Block, rows: Block): boolean {
  const above = headers.at(-1)?.cells ?? [];
  const [row, ...body] = rows;
  if (row === undefined || !isLabels(row, body)) return false;
  const isShared = (at: number): boolean => above[at] !== undefined && above[at] === row.cells[at];
  const places = row.cells.flatMap(({ text }, at) => (text === '' ? [] : [at]));
  const own = places.filter((at) => !isShared(at));
  if (own.length === 0) return false;
  const [label] = columnRange([...headers, ...rows]);
  const isLabelled = (row.cells[label]?.text ?? '') !== '';
  const isAboveLabelled = (above[label]?.text ?? '') !== '';
  // A first row of text-like figures, such as `Norway | 14a | 15b`, has a label of its own.
  if (isLabelled && isAboveLabelled && row.cells[label]?.text !== above[label]?.text) return false;
  if (own.length < places.length) return true;
  const isMerged = (at: number): boolean =>
    (above[at]?.text ?? '') !== '' && (above[at] === above[at - 1] || above[at] === above[at + 1]);
  if (own.some(isMerged)) return true;
  const [first] = columnRange(headers);
  if (isLabelled && isAboveLabelled) return true;
  const numbers = numberColumns(body);
  const isUnnamed = own.some((at) => at > first && (above[at]?.text ?? '') === '');
  // A row of units has no label. A name for one of several columns is a label of the rows below.
  const isUnits = !isLabelled && own.every((at) => numbers.includes(at));
  return numbers.length > 0 && (own.length > 1 || numbers.length === 1) && (isUnnamed || isUnits);
}

/** Text; a year over other numbers; a range, a code or a date over plain numbers. */
function isLabelIn(text: string, column: number, body: Block): boolean {
  if (!NUMERIC.test(text)) return true;
  const below = columnTexts(column, body).filter((one) => NUMERIC.test(one));
  if (YEAR.test(text)) return below.some((one) => !YEAR.test(one));
  return !PLAIN.test(text) && below.length > 0 && below.every((one) => shapeOf(one) !== shapeOf(text));
}

/** `9 (9)` for `12 (40.5)`. */
function shapeOf(text: string): string {
  return text.replace(/\d+(?:[.,]\d+)*/g, '9');
}

/** `1`, `2`, `3` below the headers count columns whose label is a word. */
function isColumnCount(row: TableRow, body: Block): boolean {
  const texts = filled(row).map(({ text }) => text.replace(/^\((.+)\)$/, '$1'));
  const [label] = columnRange([row, ...body]);
  const first = Number(texts[0]);
  const isCounting = texts.every((text, at) => text === String(first + at)) && (first === 1 || first === 2);
  const labels = columnTexts(label, body);
  return isCounting && texts.length > 2 && labels.length > 1 && labels.every((text) => !NUMERIC.test(text));
}

/** The first of three columns of words, unless its words are found again below. */
function isTextHeader(header: TableRow, body: Block, isHeaderFirst: boolean): boolean {
  const [from, to] = columnRange([header, ...body]);
  const count = filled(header).length;
  const isWide = isHeaderFirst ? count > 1 : count > 2;
  const isTable = isWide && count > (to - from + 1) / 2 && body.length > 0;
  if (!isTable || !isLabels(header, body) || isKeys(from, [header, ...body])) return false;
  return (
    !numberColumns(body).some((column) => !isName(header.cells[column]?.text ?? '')) &&
    !sharesText([header], body)
  );
}

function isKeys(column: number, rows: Block): boolean {
  const texts = columnTexts(column, rows);
  return texts.length > 0 && texts.every((text) => text.endsWith(':'));
}

function sharesText(rows: Block, others: Block): boolean {
  return rows.some(({ cells }) =>
    cells.some(({ text }, column) => text !== '' && columnTexts(column, others).includes(text)),
  );
}

/** True if rows behind a blank row have numbers where the table above has them, or words of it. */
function isContinued({ body }: Table, rows: Block): boolean {
  if (!isWithin(rows, body)) return false;
  const own = rows.slice(0, SAMPLED_ROWS);
  const [from, to] = columnRange(own);
  let isProved = sharesText(own, body);
  for (let column = from; column <= to; column += 1) {
    const texts = columnTexts(column, own).filter((text) => !MISSING.test(text));
    const known = columnTexts(column, body);
    if (texts.length === 0 || known.length === 0) continue;
    if (isNumberColumn(column, own) !== isNumberColumn(column, body)) return false;
    isProved ||= isNumberColumn(column, own);
  }
  return isProved;
}

function isWithin(rows: Block, body: Block): boolean {
  const [[from, to], [first, last]] = [columnRange(rows), columnRange(body)];
  return from >= first && to <= last;
}

/** `Women` over `2020` is `Women 2020`. A header without merged cells holds for the blank cells to its right. */
export function joinHeaders(rows: Block): string[] {
  const columns = maxOf([0, ...rows.map(({ cells }) => cells.length)]);
  const named = rows.map(({ cells }, level) => {
    const below = (at: number): string => rows[level + 1]?.cells[at]?.text ?? '';
    const hasMerged = cells.some((cell, at) => cell.text !== '' && cell === cells[at - 1]);
    let last = '';
    return Array.from({ length: columns }, (_none, at): string => {
      const text = cells[at]?.text ?? '';
      const isSpanning = !hasMerged && below(at) !== '';
      if (text === '') return isSpanning ? last : (last = '');
      last = isSpanning ? text : '';
      return text;
    });
  });
  return Array.from({ length: columns }, (_none, at) => {
    const parts = named.map((row) => row[at] ?? '').filter((text) => text !== '');
    return parts.filter((text, part) => text !== parts[part - 1]).join(' ');
  });
}
