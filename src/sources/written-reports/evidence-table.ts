import { parse } from 'csv-parse/sync';
import { escapeWithinLine } from '../../core/text/untrusted-text';
import { isRecord } from '../../core/values/is-record';

/** Columns by which a table tells what is claimed and by what, each as it may be headed. */
const COLUMNS = {
  part: ['part', 'section'],
  claim: ['claim', 'statement'],
  n: ['source_number', 'number'],
  title: ['title', 'source'],
  author: ['author', 'authors'],
  year: ['year'],
  url: ['url', 'link', 'address'],
} as const;
type Row = Record<keyof typeof COLUMNS, string>;

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]; // its own keys
/** Spreadsheets save a table by the customs of their country. */
const DELIMITERS = [',', ';', '\t'];
/** An apostrophe before what a spreadsheet would reckon as a formula. */
const FORMULA = /^'(?=[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20])/;
const MOST_COLUMNS = 200;

/** How the columns are parted where the text is such a table; null where it is none. */
export function tableDelimiter(text: string): string | null {
  const header = (/^[^\r\n]{1,10000}/.exec(text)?.[0] ?? '').toLowerCase();
  const found = DELIMITERS.find((delimiter) => {
    const names = header.split(delimiter).map((name) => name.replace(/^[\s"]+|[\s"]+$/g, ''));
    const has = (column: keyof typeof COLUMNS): boolean =>
      COLUMNS[column].some((name) => names.includes(name));
    return names.length > 1 && has('claim') && (has('title') || has('url') || has('n'));
  });
  return found ?? null;
}

/**
 * The evidence table of a run, or a table of anybody that has such columns, as Markdown: each claim once, with the numbers of all the
 * sources that its rows name, and the list of these.
 */
export function evidenceTable(
  text: string,
  delimiter: string,
): { ok: true; markdown: string } | { ok: false; message: string; line?: number } {
  let records: unknown[];
  let names: readonly string[] = [];
  try {
    records = parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      columns: (header: string[]) => {
        names = header.slice(0, MOST_COLUMNS).map((name) => name.trim().toLowerCase());
        return header.map((_name, at) => (at < MOST_COLUMNS ? `${at}` : undefined));
      },
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const line = isRecord(error) && typeof error['lines'] === 'number' ? error['lines'] : undefined;
    const message = `the table is broken (${error.message.replace(/\.$/, '')}); save it anew as CSV`;
    return { ok: false, message, ...(line === undefined ? {} : { line }) };
  }
  const rows = records.filter(isRecord).map((record) => rowOf(record, names));
  // What a run left is Markdown already, with its citations in it.
  const isOfRun = names.includes('colligate') && names.includes('claim_id');
  return { ok: true, markdown: markdownOf(rows, isOfRun) };
}

function rowOf(record: Record<string, unknown>, names: readonly string[]): Row {
  const cell = (column: keyof typeof COLUMNS): string => {
    const at = names.findIndex((name) => COLUMNS[column].some((known) => known === name));
    const value = record[`${at}`];
    return typeof value === 'string' ? value.replace(FORMULA, '').replace(/\s+/g, ' ').trim() : '';
  };
  return Object.fromEntries(NAMES.map((column) => [column, cell(column)])) as Row; // of all columns
}

interface TableClaim {
  part: string;
  text: string;
  sources: Set<number>;
}

function markdownOf(rows: readonly Row[], isMarkdown: boolean): string {
  const claims: TableClaim[] = [];
  const sources = new Map<string, { n: number; entry: string }>();
  const numbers = new Set(rows.flatMap(({ n }) => (/^\d{1,6}$/.test(n) ? [Number(n)] : [])));
  let next = 0;
  const numberOf = ({ n, title, url, ...row }: Row): number | null => {
    if (n === '' && title === '' && url === '') return null;
    const key = n === '' ? JSON.stringify([title, url]) : n;
    const known = sources.get(key);
    if (known !== undefined) return known.n;
    const isNumber = /^\d{1,6}$/.test(n);
    if (!isNumber)
      do next += 1;
      while (numbers.has(next));
    const found = { n: isNumber ? Number(n) : next, entry: entryOf({ ...row, title, url }) };
    sources.set(key, found);
    return found.n;
  };
  for (const row of rows) {
    if (row.claim === '') continue;
    const last = claims.at(-1);
    const isSame = last?.text === row.claim && last.part === row.part;
    const claim = isSame ? last : { part: row.part, text: row.claim, sources: new Set<number>() };
    if (!isSame) claims.push(claim);
    const n = numberOf(row);
    if (n !== null) claim.sources.add(n);
  }
  const blocks = claims.flatMap((claim, at) => {
    const isOfSamePart = claim.part === (claims[at - 1]?.part ?? '');
    return [
      ...(isOfSamePart ? [] : [`## ${escapeWithinLine(claim.part)}`]),
      `- ${claimText(claim, isMarkdown)}`,
    ];
  });
  const list = [...sources.values()].map(({ n, entry }) => `- [${n}] ${entry}`);
  return `${[...blocks, ...(list.length === 0 ? [] : ['## Sources', list.join('\n')])].join('\n\n')}\n`;
}

/** Numbers that do not stand in it stand behind it. */
function claimText({ text, sources }: TableClaim, isMarkdown: boolean): string {
  const marks = [...sources].map((n) => `[${n}]`);
  if (!isMarkdown) return [escapeWithinLine(text), ...marks].join(' ');
  return [text, ...marks.filter((mark) => !text.includes(mark))].join(' ');
}

function entryOf({ author, title, year, url }: Pick<Row, 'author' | 'title' | 'year' | 'url'>): string {
  const told = [author, title === '' ? '' : `“${title}”`, year].filter((part) => part !== '');
  const words = told.map((part) => escapeWithinLine(part.replace(/\.$/, ''))).join('. ');
  return `${words}.${/^https?:\/\/[^\s<>]+$/.test(url) ? ` <${url}>` : ` ${escapeWithinLine(url)}`}`.trim();
}
