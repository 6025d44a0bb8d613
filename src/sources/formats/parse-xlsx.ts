import type * as Numfmt from 'numfmt';
import { append, maxOf } from '../../lib/iterables';
import { toSubscript, toSuperscript } from './document-text';
import { countText, type DocumentPart, type Parsed, UnfitDocument } from './parsed-document';
import { EMPTY_CELL, HIDDEN_CELL, MAX_CELLS, MAX_COLUMNS, type TableCell, type TableRow } from './table-grid';
import { sheetParts } from './tables';
import {
  attributeByName,
  childElements,
  descendantElements,
  isTrueAttribute,
  parseXml,
  type XmlElement,
  xmlText,
} from './xml';
import { type Archive, coreMetadata, mainPart, openArchive, relatedParts } from './zip-package';

/** What a sheet leaves out. */
interface Omissions {
  rows: number;
  columns: number;
  formulas: number;
}

/** Hidden sheets, rows and columns are skipped and reported. */
export async function parseXlsx(bytes: Uint8Array, onPart: (sheet: number) => void): Promise<Parsed> {
  const archive = await openArchive(bytes);
  const main = await mainPart(archive);
  const related = await relatedParts(archive, main);
  const workbook = parseXml(await archive.text(main));
  const book = await readWorkbook(archive, [...related.values()], workbook);
  const sheets = descendantElements(workbook, 'sheet');
  const shown = sheets.filter(
    (sheet) => attributeByName(sheet, 'state') === undefined || attributeByName(sheet, 'state') === 'visible',
  );
  const parts: DocumentPart[] = [];
  const omissions: Omissions = { rows: 0, columns: 0, formulas: 0 };
  for (const [at, sheet] of shown.entries()) {
    onPart(at + 1);
    const part = related.get(attributeByName(sheet, 'id') ?? '');
    if (part?.kind !== 'worksheet') continue;
    // Rows are progress, so that a large sheet gets the time of many parts.
    const rows = await readSheet(archive, part.path, { book, omissions, onRows: () => onPart(at + 1) });
    const name = attributeByName(sheet, 'name') ?? `${at + 1}`;
    onPart(at + 1);
    const statements = sheetParts(rows, (place) => `sheet “${name}”, ${place}`);
    if (statements.length > 0)
      append(parts, [{ text: `## ${name}`, name: `sheet “${name}”` }, ...statements]);
  }
  const remarks = [
    ...hiddenRemark(sheets.length - shown.length, 'sheet'),
    ...hiddenRemark(omissions.rows, 'row'),
    ...hiddenRemark(omissions.columns, 'column'),
    ...formulaRemark(omissions.formulas),
  ];
  return { ok: true, documents: [{ fields: await coreMetadata(archive), parts, remarks }] };
}

function hiddenRemark(hidden: number, noun: string): string[] {
  if (hidden === 0) return [];
  return [`${hidden.toLocaleString('en')} hidden ${noun}${hidden === 1 ? ' is' : 's are'} left out`];
}

function formulaRemark(formulas: number): string[] {
  if (formulas === 0) return [];
  const isOne = formulas === 1;
  return [
    `${countText(formulas, 'formula')} without a stored value, or with an error, ${isOne ? 'is' : 'are'} left out; open the workbook in a spreadsheet program, and save it`,
  ];
}

interface WorkbookContext {
  strings: readonly string[];
  styles: readonly CellStyle[];
  /** For cells without a style. */
  plain: CellStyle;
}

interface CellStyle {
  display: NumberDisplay;
  indent: number;
}

async function readWorkbook(
  archive: Archive,
  related: readonly { kind: string; path: string }[],
  workbook: XmlElement,
): Promise<WorkbookContext> {
  const partOf = async (kind: string): Promise<string | null> => {
    const path = related.find((part) => part.kind === kind)?.path;
    return path === undefined || !archive.has(path) ? null : archive.text(path);
  };
  const strings: string[] = [];
  const shared = await partOf('sharedStrings');
  if (shared !== null)
    parseXml(shared, { each: { local: 'si', take: (item) => void strings.push(richText(item)) } });
  const [properties] = descendantElements(workbook, 'workbookPr');
  const displayOf = await loadNumberDisplays(
    properties !== undefined && isTrueAttribute(properties, 'date1904'),
  );
  const styles = await partOf('styles');
  return {
    strings,
    styles: styles === null ? [] : readStyles(parseXml(styles), displayOf),
    plain: { display: displayOf(0), indent: 0 },
  };
}

function readStyles(styles: XmlElement, displayOf: (pattern: string | number) => NumberDisplay): CellStyle[] {
  const own = new Map(
    descendantElements(styles, 'numFmt').map((format) => [
      Number(attributeByName(format, 'numFmtId')),
      attributeByName(format, 'formatCode') ?? '',
    ]),
  );
  const displays = new Map<number, NumberDisplay>();
  const [cells] = descendantElements(styles, 'cellXfs');
  return (cells === undefined ? [] : childElements(cells, 'xf')).map((style) => {
    const id = Number(attributeByName(style, 'numFmtId') ?? 0);
    const display = displays.get(id) ?? displayOf(own.get(id) ?? id);
    displays.set(id, display);
    const [alignment] = childElements(style, 'alignment');
    const indent = alignment === undefined ? 0 : Number(attributeByName(alignment, 'indent') ?? 0);
    return { display, indent };
  });
}

/** Escapes such as `_x000D_` for characters that XML cannot hold. */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

function richText(element: XmlElement): string {
  return childElements(element)
    .filter(({ local }) => local !== 'rPh')
    .map((child) => {
      if (child.local === 't') return unescaped(xmlText(child));
      const [alignment] = descendantElements(child, 'vertAlign');
      const place = alignment === undefined ? undefined : attributeByName(alignment, 'val');
      if (place === 'superscript') return toSuperscript(richText(child));
      return place === 'subscript' ? toSubscript(richText(child)) : richText(child);
    })
    .join('');
}

function unescaped(text: string): string {
  return text.replace(ESCAPED, (_code, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

interface SheetRow extends TableRow {
  cells: TableCell[];
  isHidden: boolean;
  /** Cells of rows above that cover cells of this row. */
  merged: Set<TableCell>;
  isMergedBelow: boolean;
}

/** `A2:B4`, in rows from 1 and columns from 0. */
interface CellRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

const ROWS_A_STEP = 10_000;

async function readSheet(
  archive: Archive,
  path: string,
  { book, omissions, onRows }: { book: WorkbookContext; omissions: Omissions; onRows: () => void },
): Promise<TableRow[]> {
  const rows: SheetRow[] = [];
  const sheet = parseXml(await archive.text(path), {
    each: {
      local: 'row',
      take: (row) => {
        const number = Number(attributeByName(row, 'r')) || (rows.at(-1)?.number ?? 0) + 1;
        const cells = readCells(row, book, omissions);
        const isHidden = isTrueAttribute(row, 'hidden');
        rows.push({ number, cells, isHidden, merged: new Set(), isMergedBelow: false });
        if (rows.length % ROWS_A_STEP === 0) onRows();
      },
    },
  });
  rows.sort((one, other) => one.number - other.number);
  const filters = childElements(sheet).flatMap((element) => childElements(element, 'autoFilter'));
  markHeaders(rows, [...rangesOf(filters), ...(await listedTables(archive, path))]);
  mergeCells(rows, rangesOf(descendantElements(sheet, 'mergeCell')));
  return visibleRows(rows, hiddenColumns(sheet), omissions);
}

function readCells(row: XmlElement, book: WorkbookContext, omissions: Omissions): TableCell[] {
  const cells: TableCell[] = [];
  let column = 0;
  for (const cell of childElements(row, 'c')) {
    // Read directly, because a large sheet has millions of cells.
    const { r: place, s: styleId = '0', t: type } = cell.attributes;
    column = columnOf(place) ?? column;
    if (column >= MAX_COLUMNS) continue;
    const style = book.styles[Number(styleId)] ?? book.plain;
    const text = valueOf(cell, { type, style }, book);
    if (text === null) omissions.formulas += 1;
    else if (text !== '') {
      while (cells.length < column) cells.push(EMPTY_CELL);
      cells[column] = style.indent > 0 ? { text, indent: style.indent } : { text };
    }
    column += 1;
  }
  return cells;
}

/** 0 for `A12`, 27 for `AB1`. */
function columnOf(reference = ''): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return null;
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Null for a formula without a stored value. */
/** Null for a formula without a stored value, or with an error. */
function valueOf(
  cell: XmlElement,
  { type, style }: { type: string | undefined; style: CellStyle },
  { strings }: WorkbookContext,
): string | null {
  if (type === 'inlineStr') return childElements(cell, 'is').map(richText).join('');
  const [value] = childElements(cell, 'v');
  if (value === undefined) return childElements(cell, 'f').length > 0 ? null : '';
  const text = xmlText(value);
  switch (type) {
    case 's':
      return strings[Number(text)] ?? '';
    case 'b':
      return text === '1' ? 'TRUE' : 'FALSE';
    case 'e':
      return null;
    case 'str':
      return unescaped(text);
    case 'd':
      return text.replace(/T00:00:00(?:\.0+)?Z?$/, '');
    default:
      return text === '' ? '' : style.display(text);
  }
}

function rangesOf(elements: readonly XmlElement[]): CellRange[] {
  return elements.flatMap((element) => {
    const reference = attributeByName(element, 'ref') ?? '';
    const [, first = '', last = first] = /^([A-Z]{1,3}\d+)(?::([A-Z]{1,3}\d+))?$/.exec(reference) ?? [];
    const [left, right] = [columnOf(first), columnOf(last)];
    const [top, bottom] = [first, last].map((place) => Number(place.replace(/^[A-Z]+/, '')));
    if (left === null || right === null || top === undefined || bottom === undefined) return [];
    return [{ top, bottom, left, right }];
  });
}

/** The value in the first cell of a range belongs to all its cells. Ranges end with the used cells. */
function mergeCells(rows: readonly SheetRow[], ranges: readonly CellRange[]): void {
  const width = maxOf([0, ...rows.map(({ cells }) => cells.length)]);
  let places = 0;
  for (const { top, bottom, left, right } of ranges) {
    const start = firstRowFrom(rows, top);
    const last = Math.min(right, width - 1);
    const merged = (rows[start]?.number === top ? rows[start].cells[left] : undefined) ?? EMPTY_CELL;
    for (let at = start; (rows[at]?.number ?? Infinity) <= bottom; at += 1) {
      const row = rows[at];
      if (row === undefined) break;
      while (row.cells.length < left) row.cells.push(EMPTY_CELL);
      for (let column = left; column <= last; column += 1) row.cells[column] = merged;
      if (row.number < bottom && merged !== EMPTY_CELL) row.isMergedBelow = true;
      if (row.number > top) row.merged.add(merged);
      places += last - left + 2;
      if (places > MAX_CELLS)
        throw new UnfitDocument(`it has more than ${MAX_CELLS.toLocaleString('en')} merged cells`);
    }
  }
}

/** Position of the first row with this number or a higher one. */
function firstRowFrom(rows: readonly SheetRow[], number: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.number ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ranges of the tables that Excel lists, without those that have no header row. */
async function listedTables(archive: Archive, path: string): Promise<CellRange[]> {
  const ranges: CellRange[] = [];
  for (const part of (await relatedParts(archive, path)).values()) {
    if (part.kind !== 'table' || !archive.has(part.path)) continue;
    const tables = descendantElements(parseXml(await archive.text(part.path)), 'table');
    append(ranges, rangesOf(tables.filter((table) => attributeByName(table, 'headerRowCount') !== '0')));
  }
  return ranges;
}

/** The first row of a filter or of a listed table is its header. */
function markHeaders(rows: readonly SheetRow[], ranges: readonly CellRange[]): void {
  for (const { top, left, right } of ranges) {
    const row = rows[firstRowFrom(rows, top)];
    if (row?.number !== top) continue;
    for (let column = left; column <= Math.min(right, row.cells.length - 1); column += 1) {
      const cell = row.cells[column] ?? EMPTY_CELL;
      if (cell !== EMPTY_CELL) row.cells[column] = { ...cell, isHeader: true };
    }
  }
}

/** First and last of hidden columns, from 0. */
function hiddenColumns(sheet: XmlElement): [number, number][] {
  return descendantElements(sheet, 'col')
    .filter((column) => isTrueAttribute(column, 'hidden'))
    .map((column) => [
      Number(attributeByName(column, 'min')) - 1,
      Number(attributeByName(column, 'max')) - 1,
    ]);
}

/** Visible rows; a row without cells for each run of blank ones. */
function visibleRows(
  rows: readonly SheetRow[],
  hidden: readonly (readonly [number, number])[],
  omissions: Omissions,
): TableRow[] {
  const visible: TableRow[] = [];
  const columns = new Set<number>();
  const isHiddenColumn = (column: number): boolean =>
    hidden.some(([first, last]) => column >= first && column <= last);
  let above: SheetRow | null = null;
  for (const row of rows) {
    const isGap = above !== null && row.number > above.number + 1 && !above.isMergedBelow;
    const hasText = row.cells.some((cell) => cell.text !== '' && !row.merged.has(cell));
    const isCovered = !hasText && row.cells.some(({ text }) => text !== '');
    if (isGap || (!hasText && !isCovered)) visible.push({ number: row.number, cells: [] });
    above = row;
    if (!hasText) continue;
    if (row.isHidden) {
      omissions.rows += 1;
      continue;
    }
    const cells = row.cells.map((cell, column) => {
      if (cell.text === '' || hidden.length === 0 || !isHiddenColumn(column)) return cell;
      columns.add(column);
      return HIDDEN_CELL;
    });
    visible.push({ number: row.number, cells });
  }
  omissions.columns += columns.size;
  return visible;
}

// Numbers as Excel displays them, with dates as in ISO 8601.

/** Displays a stored number. */
type NumberDisplay = (stored: string) => string;

/** Days between the starts of the date systems of 1900 and 1904. */
const DAYS_TO_1904 = 1_462;
const MAX_DAY = 2_958_466;
/** Excel keeps 15 digits. Longer numbers, such as identifiers, are shown in full up to there. */
const MAX_INTEGER = 1e15;
const DISPLAY = { nbsp: false, fillChar: '', skipChar: '' };

/** `pattern` is a format code, or the number of a built-in format. */
async function loadNumberDisplays(is1904: boolean): Promise<(pattern: string | number) => NumberDisplay> {
  const numfmt = await import('numfmt');
  return (pattern) => {
    const code = typeof pattern === 'number' ? numfmt.getFormatFromId(pattern) : pattern;
    const display = displayOf(numfmt, numfmt.isValidFormat(code) ? code : 'General', is1904);
    return (stored) => {
      const number = Number(stored);
      return Number.isFinite(number) ? display(number).trim() : stored;
    };
  };
}

function displayOf(numfmt: typeof Numfmt, code: string, is1904: boolean): (number: number) => string {
  const general = (number: number): string =>
    Number.isInteger(number) && Math.abs(number) < MAX_INTEGER
      ? String(number)
      : numfmt.format('General', number);
  if (/^general$/i.test(code)) return general;
  if (!numfmt.isDateFormat(code)) return (number) => numfmt.format(code, number, DISPLAY);
  const isElapsed = /\[(?:h+|m+|s+)\]/i.test(code);
  const isTime = numfmt.getFormatInfo(code).type === 'time';
  const { year, month, day, hours, seconds } = numfmt.getFormatDateInfo(code);
  return (number) => {
    const serial = is1904 && !isTime ? number + DAYS_TO_1904 : number;
    if (serial < 0 || serial >= MAX_DAY) return general(number);
    const isClock = hours && !isElapsed;
    // Without a year, or with fractions of seconds: as displayed.
    if (!(isTime ? isClock : year)) return numfmt.format(code, serial, DISPLAY);
    const [y = 0, ...others] = numfmt.dateFromSerial(serial);
    const [m, d, h, min, s] = others.map((part) => String(part).padStart(2, '0'));
    const clock = `${h}:${min}${seconds ? `:${s}` : ''}`;
    if (isTime || (serial < 1 && hours)) return clock;
    const date = `${String(y)}${month ? `-${m}` : ''}${month && day ? `-${d}` : ''}`;
    return month && day && isClock ? `${date} ${clock}` : date;
  };
}
