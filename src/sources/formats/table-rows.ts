import { maxOf } from '../../lib/iterables';
import { type DocumentPart, MAX_DOCUMENT_CHARS, UnfitDocument } from './parsed-document';

export interface TableRow {
  number: number;
  cells: readonly string[];
}

const MAX_ROW_PLACES = 2_000;
const NUMERIC = /^[-+−]?[\d.,\s]*\d%?$/;

/** Rows become `Country: Norway; Year: 2019.`. Single cells above the header are titles. */
export function rowStatements(rows: readonly TableRow[], placeOf: (rows: string) => string): DocumentPart[] {
  const filled = rows
    .map(({ number, cells }) => ({ number, cells: cells.map((cell) => cell.replace(/\s+/g, ' ').trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const isSingle = filled.every(({ cells }) => filledCells(cells).length < 2);
  const at = isSingle ? 0 : filled.findIndex(({ cells }) => filledCells(cells).length > 1);
  const first = filled[at];
  const hasHeader = first !== undefined && !filledCells(first.cells).every((cell) => NUMERIC.test(cell));
  const header = hasHeader ? first.cells : [];
  const body = filled.slice(hasHeader ? at + 1 : at);
  const titles = filled
    .slice(0, Math.max(0, at))
    .map(({ cells }) => ({ text: filledCells(cells).join(' ') }));
  const together = Math.ceil(body.length / MAX_ROW_PLACES) || 1;
  let chars = 0;
  const parts = Array.from({ length: Math.ceil(body.length / together) }, (_none, place): DocumentPart => {
    const group = body.slice(place * together, (place + 1) * together);
    const text = group.map(({ cells }) => statementOf(cells, header)).join('\n\n');
    chars += text.length;
    if (chars > MAX_DOCUMENT_CHARS) throw tooLongError();
    return { text, name: placeOf(rowRange(group)) };
  });
  return [...titles, ...parts];
}

/** The first row is the header; a single row becomes a line. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows
    .map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()))
    .filter((row) => row.some((cell) => cell !== ''));
  const columns = maxOf([0, ...cells.map(({ length }) => length)]);
  const [header, ...body] = cells;
  if (header === undefined) return '';
  if (body.length === 0) return header.filter((cell) => cell !== '').join(' ');
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_none, at) => row[at] ?? '').join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n');
}

function tooLongError(): UnfitDocument {
  return new UnfitDocument(
    `its rows have more than ${MAX_DOCUMENT_CHARS.toLocaleString('en')} characters; split it into parts`,
  );
}

function filledCells(cells: readonly string[]): string[] {
  return cells.filter((cell) => cell !== '');
}

function statementOf(cells: readonly string[], header: readonly string[]): string {
  const said = cells
    .map((cell, at) => {
      const name = header[at] ?? '';
      return cell === '' || name === '' ? cell : `${name}: ${cell}`;
    })
    .filter((cell) => cell !== '');
  const statement = said.join('; ');
  return /[.!?]$/.test(statement) ? statement : `${statement}.`;
}

/** `row 12` or `rows 12–14`. */
function rowRange(rows: readonly TableRow[]): string {
  const [first, last] = [rows[0]?.number ?? 0, rows.at(-1)?.number ?? 0];
  return first === last ? `row ${first}` : `rows ${first}–${last}`;
}
