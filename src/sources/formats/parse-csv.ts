import { parse } from 'csv-parse/sync';
import { greatest, least } from '../../lib/iterables';
import { decodedText, type Parsed, rowStatements } from './parsed-document';

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLED = 20;
const LONGEST_ROW = 1_000_000;

export function parseCsv(bytes: Uint8Array): Parsed {
  const text = decodedText(bytes);
  const rows = rowsOf(text, delimiterOf(text)).map((cells, at) => ({ number: at + 1, cells }));
  return { ok: true, documents: [{ fields: {}, parts: rowStatements(rows, (name) => name) }] };
}

function rowsOf(text: string, delimiter: string, to?: number): string[][] {
  return parse(text, {
    delimiter,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
    ...(to === undefined ? {} : { to }),
  });
}

/** The delimiter with the highest minimum of cells in the sampled rows. */
function delimiterOf(text: string): string {
  const cells = DELIMITERS.map((delimiter) => leastCells(text, delimiter));
  return DELIMITERS[cells.indexOf(greatest(cells))] ?? ',';
}

function leastCells(text: string, delimiter: string): number {
  try {
    return least(rowsOf(text, delimiter, SAMPLED).map(({ length }) => length));
  } catch {
    return 0; // no table with this delimiter
  }
}
