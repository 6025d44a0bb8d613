import { parse } from 'csv-parse/sync';
import { maxOf, minOf } from '../../lib/iterables';
import { type Parsed, UnfitDocument } from './parsed-document';
import { sheetParts } from './tables';
import { decodeText } from './text-encoding';

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLED_ROWS = 20;
const MAX_ROW_CHARS = 1_000_000;
/** Excel's line that names the delimiter. It is not counted as a row. */
const DELIMITER_LINE = /^"?sep=([^\r\n])"?(?:\r\n|\r|\n)/i;

export function parseCsv(bytes: Uint8Array): Parsed {
  const decoded = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!decoded.ok) throw new UnfitDocument(decoded.message);
  const [line = '', named] = DELIMITER_LINE.exec(decoded.text) ?? [];
  const text = decoded.text.slice(line.length);
  const rows = parseRows(text, named ?? detectDelimiter(text)).map((cells, at) => ({
    number: at + 1,
    cells: cells.map((cell) => ({ text: cell })),
  }));
  return { ok: true, documents: [{ fields: {}, parts: sheetParts(rows, (place) => place, true) }] };
}

function parseRows(text: string, delimiter: string, to?: number): string[][] {
  return parse(text, {
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
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
