import { madeZip } from './made-files';

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';

interface MadeCell {
  v: string | number | boolean;
  /** Format code of a number. */
  format?: string;
  indent?: number;
  /** XML inside the cell, instead of its value. */
  xml?: string;
  type?: string;
}

interface MadeSheet {
  name?: string;
  state?: string;
  /** Null is a blank cell. The first row is row 1. */
  rows: (null | (null | string | number | MadeCell)[])[];
  merges?: string[];
  hiddenRows?: number[];
  /** From 1. */
  hiddenColumns?: [number, number][];
  autoFilter?: string;
}

/** XML of shared strings is numbered from 0; `is1904` is the date system of old Macs. */
interface MadeBook {
  sheets: MadeSheet[];
  shared?: string[];
  is1904?: boolean;
}

/** A workbook with the parts that spreadsheet programs write. */
export async function madeWorkbook({ sheets, shared = [], is1904 = false }: MadeBook): Promise<Uint8Array> {
  const formats: string[] = [];
  const styles: string[] = ['<xf numFmtId="0"/>'];
  const styleOf = ({ format, indent = 0 }: MadeCell): number => {
    if (format !== undefined && !formats.includes(format)) formats.push(format);
    const id = format === undefined ? 0 : 164 + formats.indexOf(format);
    const style = `<xf numFmtId="${id}"><alignment indent="${indent}"/></xf>`;
    if (!styles.includes(style)) styles.push(style);
    return styles.indexOf(style);
  };
  const bodies = sheets.map((sheet) => sheetXml(sheet, styleOf));
  const relations = [
    ...sheets.map((_sheet, at) => relation(`r${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
    relation('s', 'sharedStrings', 'sharedStrings.xml'),
    relation('f', 'styles', 'styles.xml'),
  ];
  const listed = sheets.map(
    ({ name, state = 'visible' }, index) =>
      `<sheet name="${name ?? `Sheet${index + 1}`}" sheetId="${index + 1}" state="${state}" r:id="r${index + 1}"/>`,
  );
  const codes = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`);
  const types = [
    'workbook',
    ...sheets.map((_sheet, at) => `worksheets/sheet${at + 1}`),
    'sharedStrings',
    'styles',
  ].map((part) => {
    const kind = part === 'workbook' ? 'sheet.main' : part.replace(/^worksheets.*/, 'worksheet');
    return `<Override PartName="/xl/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;
  });
  return madeZip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types.join('')}</Types>`,
    '_rels/.rels': `<Relationships ${PACKAGE}>${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${RELATIONS}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships ${PACKAGE}>${relations.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst ${MAIN}>${shared.map((xml) => `<si>${xml}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet ${MAIN}><numFmts>${codes.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(bodies.map((xml, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml])),
  });
}

function sheetXml(sheet: MadeSheet, styleOf: (cell: MadeCell) => number): string {
  const { merges = [], hiddenRows = [], hiddenColumns = [], autoFilter } = sheet;
  const columns = hiddenColumns.map(([min, max]) => `<col min="${min}" max="${max}" hidden="1"/>`);
  const rows = sheet.rows.map((cells, index) => {
    if (cells === null) return '';
    const hidden = hiddenRows.includes(index + 1) ? ' hidden="1"' : '';
    const own = cells.map((cell, column) =>
      cell === null ? '' : cellXml(cell, `${letterOf(column)}${index + 1}`, styleOf),
    );
    return `<row r="${index + 1}"${hidden}>${own.join('')}</row>`;
  });
  const filter = autoFilter === undefined ? '' : `<autoFilter ref="${autoFilter}"/>`;
  const merged = merges.map((range) => `<mergeCell ref="${range}"/>`).join('');
  return `<worksheet ${MAIN}>${columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`}<sheetData>${rows.join('')}</sheetData>${filter}${merged === '' ? '' : `<mergeCells>${merged}</mergeCells>`}</worksheet>`;
}

function cellXml(
  given: string | number | MadeCell,
  place: string,
  styleOf: (cell: MadeCell) => number,
): string {
  const cell = typeof given === 'object' ? given : { v: given };
  const style = styleOf(cell);
  if (cell.xml !== undefined) return `<c r="${place}" s="${style}" t="${cell.type ?? 'n'}">${cell.xml}</c>`;
  if (typeof cell.v === 'string')
    return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell.v)}</t></is></c>`;
  return `<c r="${place}" s="${style}" t="${typeof cell.v === 'boolean' ? 'b' : 'n'}"><v>${Number(cell.v)}</v></c>`;
}

function relation(id: string, kind: string, target: string): string {
  return `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;
}

function letterOf(column: number): string {
  return String.fromCharCode(65 + column);
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
