import { append } from '../../lib/iterables';
import type { DocumentPart, Parsed } from './parsed-document';
import { rowStatements, type TableRow } from './table-rows';
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

const DAY_MS = 86_400_000;

/** Excel treats 1900 as a leap year, which shifts day 0. */
const DAY_ZERO = Date.UTC(1899, 11, 30);

const DAY_ZERO_1904 = Date.UTC(1904, 0, 1);

const MAX_DAY = 2_958_465;

/** Hidden sheets and rows are skipped and reported. */
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
  let hiddenRows = 0;
  for (const [at, sheet] of shown.entries()) {
    onPart(at + 1);
    const part = related.get(attributeByName(sheet, 'id') ?? '');
    if (part?.kind !== 'worksheet') continue;
    const { rows, hidden } = readRows(await archive.text(part.path), book);
    hiddenRows += hidden;
    append(parts, sheetParts(attributeByName(sheet, 'name') ?? `${at + 1}`, rows));
  }
  const remarks = [
    ...hiddenRemark(sheets.length - shown.length, 'sheet'),
    ...hiddenRemark(hiddenRows, 'row'),
  ];
  return { ok: true, documents: [{ fields: await coreMetadata(archive), parts, remarks }] };
}

function hiddenRemark(hidden: number, noun: string): string[] {
  if (hidden === 0) return [];
  return [`${hidden.toLocaleString('en')} hidden ${noun}${hidden === 1 ? ' is' : 's are'} left out`];
}

function sheetParts(name: string, rows: readonly TableRow[]): DocumentPart[] {
  const sheet = `sheet “${name}”`;
  const statements = rowStatements(rows, (place) => `sheet “${name}”, ${place}`);
  return statements.length === 0 ? [] : [{ text: `## ${name}`, name: sheet }, ...statements];
}

interface WorkbookContext {
  strings: readonly string[];
  formats: readonly NumberFormat[];
  /** True for the 1904 date system of old Macs. */
  is1904: boolean;
}

async function readWorkbook(
  archive: Archive,
  related: readonly { kind: string; path: string }[],
  workbook: XmlElement,
): Promise<WorkbookContext> {
  const partOf = async (kind: string): Promise<XmlElement | null> => {
    const path = related.find((part) => part.kind === kind)?.path;
    return path === undefined || !archive.has(path) ? null : parseXml(await archive.text(path));
  };
  const strings = await partOf('sharedStrings');
  const styles = await partOf('styles');
  const [properties] = descendantElements(workbook, 'workbookPr');
  return {
    strings: strings === null ? [] : descendantElements(strings, 'si').map(richText),
    formats: styles === null ? [] : numberFormats(styles),
    is1904: properties !== undefined && isTrueAttribute(properties, 'date1904'),
  };
}

function richText(element: XmlElement): string {
  return childElements(element)
    .filter(({ local }) => local !== 'rPh')
    .map((child) => (child.local === 't' ? xmlText(child) : richText(child)))
    .join('');
}

function readRows(xml: string, book: WorkbookContext): { rows: TableRow[]; hidden: number } {
  const rows: TableRow[] = [];
  let hidden = 0;
  let number = 0;
  parseXml(xml, {
    each: {
      local: 'row',
      take: (row) => {
        number = Number(attributeByName(row, 'r')) || number + 1;
        if (isTrueAttribute(row, 'hidden')) hidden += 1;
        else rows.push({ number, cells: readCells(row, book) });
      },
    },
  });
  return { rows, hidden };
}

const MAX_COLUMNS = 16_384;

function readCells(row: XmlElement, book: WorkbookContext): string[] {
  const cells: string[] = [];
  for (const cell of childElements(row, 'c')) {
    const column = columnOf(attributeByName(cell, 'r')) ?? cells.length;
    if (column >= MAX_COLUMNS) continue;
    while (cells.length < column) cells.push('');
    cells[column] = valueOf(cell, book);
  }
  return cells;
}

/** 0 for `A12`, 27 for `AB1`. */
function columnOf(reference = ''): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return null;
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function valueOf(cell: XmlElement, { strings, formats, is1904 }: WorkbookContext): string {
  const [value] = childElements(cell, 'v');
  const text = value === undefined ? '' : xmlText(value);
  switch (attributeByName(cell, 't')) {
    case 's':
      return strings[Number(text)] ?? '';
    case 'inlineStr':
      return childElements(cell, 'is').map(richText).join('');
    case 'b':
      return text === '1' ? 'TRUE' : 'FALSE';
    case 'e':
      return ''; // error values have no text
    case 'str':
    case 'd':
      return text;
    default:
      return text === '' ? '' : formatNumber(text, formats[Number(attributeByName(cell, 's') ?? 0)], is1904);
  }
}

/** Dates and percentages are stored as plain numbers. */
type NumberFormat = 'plain' | 'date' | 'percent';

/** Built-in formats (ECMA-376, 18.8.30), including East Asian ones. */
function builtInFormat(id: number): NumberFormat {
  if (id === 9 || id === 10) return 'percent';
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58) ? 'date' : 'plain';
}

function numberFormats(styles: XmlElement): NumberFormat[] {
  const own = new Map(
    descendantElements(styles, 'numFmt').map((format) => [
      Number(attributeByName(format, 'numFmtId')),
      formatOf(attributeByName(format, 'formatCode') ?? ''),
    ]),
  );
  const [cells] = descendantElements(styles, 'cellXfs');
  return (cells === undefined ? [] : childElements(cells, 'xf')).map((style) => {
    const id = Number(attributeByName(style, 'numFmtId') ?? 0);
    return own.get(id) ?? builtInFormat(id);
  });
}

function formatOf(code: string): NumberFormat {
  const signs = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '').split(';')[0] ?? '';
  if (signs.includes('%')) return 'percent';
  return /[ymdhs]/i.test(signs.replace(/general/i, '')) ? 'date' : 'plain';
}

/** For example `2020-05-04`, `12.5%`, and `3.4` instead of `3.4000000000000004`. */
function formatNumber(stored: string, format: NumberFormat = 'plain', is1904 = false): string {
  const number = Number(stored);
  if (!Number.isFinite(number)) return stored;
  if (format === 'percent') return `${roundNumber(number * 100)}%`;
  if (format === 'plain' || number < 0 || number > MAX_DAY) return roundNumber(number);
  const time = (is1904 ? DAY_ZERO_1904 : DAY_ZERO) + Math.round(number * DAY_MS);
  const [date = '', clock = ''] = new Date(time).toISOString().split('T');
  if (Number.isInteger(number)) return date;
  return number < 1 ? clock.slice(0, 5) : `${date} ${clock.slice(0, 5)}`;
}

function roundNumber(number: number): string {
  return String(Number(number.toPrecision(15)));
}
