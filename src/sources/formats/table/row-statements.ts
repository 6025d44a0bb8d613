import { MOST_CHARS } from '../parsing/parse-limits';
import { type DocumentPart, UnfitDocument } from '../parsing/parsed-document';

/** A row with its number, as its program counts. */
export interface TableRow {
  number: number;
  cells: readonly string[];
}

/** Of more rows several are one place. */
const MOST_PLACES = 2_000;
const NUMERIC = /^[-+−]?[\d.,\s]*\d%?$/;

/**
 * Each row as a statement with its header, `Country: Norway; Year: 2019.`, so that it says what it says by itself. The header is the first
 * row with several cells that are not all numbers; what stands alone on a row before it is a title.
 */
export function rowStatements(rows: readonly TableRow[], placeOf: (rows: string) => string): DocumentPart[] {
  const filled = rows
    .map(({ number, cells }) => ({ number, cells: cells.map((cell) => cell.replace(/\s+/g, ' ').trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const isSingle = filled.every(({ cells }) => valuesIn(cells).length < 2);
  const at = isSingle ? 0 : filled.findIndex(({ cells }) => valuesIn(cells).length > 1);
  const first = filled[at];
  const hasHeader = first !== undefined && !valuesIn(first.cells).every((cell) => NUMERIC.test(cell));
  const header = hasHeader ? first.cells : [];
  const body = filled.slice(hasHeader ? at + 1 : at);
  const titles = filled.slice(0, Math.max(0, at)).map(({ cells }) => ({ text: valuesIn(cells).join(' ') }));
  const together = Math.ceil(body.length / MOST_PLACES) || 1;
  let chars = 0;
  const parts = Array.from({ length: Math.ceil(body.length / together) }, (_none, place): DocumentPart => {
    const group = body.slice(place * together, (place + 1) * together);
    const text = group.map(({ cells }) => statementOf(cells, header)).join('\n\n');
    chars += text.length;
    if (chars > MOST_CHARS) throw tooLong();
    return { text, name: placeOf(numbersOf(group)) };
  });
  return [...titles, ...parts];
}

function tooLong(): UnfitDocument {
  return new UnfitDocument(
    `its rows have more than ${MOST_CHARS.toLocaleString('en')} characters; split it into parts`,
  );
}

function valuesIn(cells: readonly string[]): string[] {
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

/** `row 12`, `rows 12–14`. */
function numbersOf(rows: readonly TableRow[]): string {
  const [first, last] = [rows[0]?.number ?? 0, rows.at(-1)?.number ?? 0];
  return first === last ? `row ${first}` : `rows ${first}–${last}`;
}
