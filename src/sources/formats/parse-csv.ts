import { parse } from 'csv-parse/sync';
import { maxOf, minOf } from '../../lib/iterables';
import { decodeWithFallback } from './document-text';
import type { Parsed } from './parsed-document';
import { rowStatements } from './table-rows';

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLED_ROWS = 20;
const MAX_ROW_CHARS = 1_000_000;

export function parseCsv(bytes: Uint8Array): Parsed {
  const text = decodeWithFallback(bytes);
  const rows = parseRows(text, detectDelimiter(text)).map((cells, at) => ({ number: at + 1, cells }));
  return { ok: true, documents: [{ fields: {}, parts: rowStatements(rows, (name) => name) }] };
}

function parseRows(text: string, delimiter: string, to?: number): string[][] {
  return parse(text, {
    delimiter,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARS,
    ...(to === undefined ? {} : { to }),
  });
}

/** The delimiter with the highest minimum of cells in the sampled rows. */
function detectDelimiter(text: string): string {
  const cells = DELIMITERS.map((delimiter) => minCells(text, delimiter));
  return DELIMITERS[cells.indexOf(maxOf(cells))] ?? ',';
}

function minCells(text: string, delimiter: string): number {
  try {
    return minOf(parseRows(text, delimiter, SAMPLED_ROWS).map(({ length }) => length));
  } catch {
    return 0; // no table with this delimiter
  }
}
