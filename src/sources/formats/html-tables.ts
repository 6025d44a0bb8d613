import {
  attributeOf,
  childrenOf,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isHiddenElement,
  scriptOf,
  textOf,
} from './html-tree';
import { placeSpans, type SpannedCell, type TableRow } from './tables';

export interface HtmlRow {
  section: 'thead' | 'tbody' | 'tfoot';
  cells: readonly HtmlElement[];
  /** Rows to the end of the section, where cells over several rows end. */
  remaining: number;
}

export interface HtmlTable {
  captions: readonly HtmlElement[];
  rows: readonly HtmlRow[];
  /** Cells over the whole table at its end. */
  notes: readonly HtmlElement[];
}

const SECTIONS = ['thead', 'tbody', 'tfoot'] as const;
/** As in browsers. */
const MAX_COLUMN_SPAN = 1_000;

export function readTableRows(table: HtmlElement, isLeftOut: (row: HtmlElement) => boolean): HtmlTable {
  const parts = childrenOf(table)
    .filter(isElement)
    .filter((part) => !isHiddenElement(part));
  const all = SECTIONS.flatMap((section) =>
    parts.filter(({ tagName }) => tagName === section).flatMap((part) => rowsOf(part, section, isLeftOut)),
  );
  const isNote = ({ cells: [cell, ...others] }: HtmlRow): boolean =>
    cell !== undefined && others.length === 0 && spanOf(cell, 'colspan') > 1;
  const end = all.findLastIndex((row) => !isNote(row)) + 1;
  return {
    captions: parts.filter(({ tagName }) => tagName === 'caption'),
    rows: all.slice(0, end),
    notes: end === 0 ? [] : all.slice(end).flatMap(({ cells }) => cells),
  };
}

function rowsOf(
  part: HtmlElement,
  section: HtmlRow['section'],
  isLeftOut: (row: HtmlElement) => boolean,
): HtmlRow[] {
  const rows = childrenOf(part)
    .filter(isElement)
    .filter((row) => row.tagName === 'tr' && !isHiddenElement(row) && !isLeftOut(row));
  return rows.map((row, at) => ({
    section,
    remaining: rows.length - at,
    cells: childrenOf(row).filter(isElement).filter(hasPlace),
  }));
}

/** Cells without display leave their place to the next one. */
function hasPlace(cell: HtmlElement): boolean {
  const isRemoved = /(?:^|;)\s*display\s*:\s*none/i.test(attributeOf(cell, 'style') ?? '');
  return attributeOf(cell, 'hidden') === null && !isRemoved;
}

/** Elements that data cells do not contain. */
const STRUCTURE = /^(?:h[1-6]|table|ul|ol|dl|pre|blockquote)$/;
const STRUCTURE_UNDER_HEADER = /^(?:h[1-6]|table)$/;

/** Tables whose cells hold headings, tables, lists or several paragraphs are layout, and are read cell by cell. */
export function isLayoutTable({ rows }: HtmlTable): boolean {
  const cells = rows.flatMap((row) => row.cells);
  const hasHeader = rows.some((row) => row.section === 'thead' || (row.cells.length > 1 && isAllHeader(row)));
  if (hasHeader && rows.length > 1)
    return cells.some((cell) =>
      containsTag(cell, cell.tagName === 'th' ? /^table$/ : STRUCTURE_UNDER_HEADER),
    );
  const hasLabels = cells.some(({ tagName }) => tagName === 'th');
  const isColumn = rows.every((row) => row.cells.length < 2);
  return (
    isColumn || cells.some((cell) => containsTag(cell, STRUCTURE) || (!hasLabels && paragraphs(cell) > 1))
  );
}

function paragraphs(cell: HtmlElement): number {
  return elementsIn(cell, ({ tagName }) => tagName === 'p').length;
}

function containsTag(element: HtmlElement, what: RegExp): boolean {
  return elementsIn(element, ({ tagName }) => what.test(tagName)).length > 0;
}

function isAllHeader({ cells }: HtmlRow): boolean {
  return cells.every(({ tagName }) => tagName === 'th');
}

const FIGURE = /^[^\p{L}\d]*\d/u;
const YEAR = /^(?:1[89]|20)\d\d$/;

export function tableGrid({ rows }: HtmlTable, textOf: (cell: HtmlElement) => string): TableRow[] {
  let isBody = false;
  const foot = rows.findIndex(({ section }) => section === 'tfoot');
  const grid = placeSpans(
    rows.map((row) => {
      const texts = row.cells.map(textOf);
      isBody ||= row.section !== 'thead' && !isAllHeader(row);
      const isHeader = headerTest(row, texts, isBody);
      return row.cells.map((cell, at): SpannedCell => ({
        text: texts[at] ?? '',
        isHeader: isHeader(cell),
        columns: spanOf(cell, 'colspan'),
        rows: Math.min(spanOf(cell, 'rowspan') || row.remaining, row.remaining),
      }));
    }),
  );
  const placed = stretchLabels(grid);
  // Labels over groups of rows do not hold for the totals.
  return foot > 0 ? placed.toSpliced(foot, 0, { number: foot, cells: [] }) : placed;
}

/**
 * True of facts such as `<th>Area</th><td>454</td>`, whose first row is no header, and of pairs without any label,
 * whose first row may be one. Old pages write labels in bold.
 */
export function hasRowLabels({ rows }: HtmlTable): boolean {
  const isPairs = rows.every(({ cells }) => cells.length <= 2 && !cells.some(isLabel));
  return rows.every(({ section, cells: [label, ...values] }) => {
    const isLabelled = isPairs || (label !== undefined && isLabel(label) && !values.some(isLabel));
    return section !== 'thead' && (isLabelled || values.length === 0);
  });
}

function isLabel(cell: HtmlElement): boolean {
  const bold = elementsIn(cell, ({ tagName }) => tagName === 'b' || tagName === 'strong')[0];
  return cell.tagName === 'th' || (bold !== undefined && textOf(bold) === textOf(cell));
}

/** Total rows and rows without values may consist of `th`, and name no columns. */
function headerTest(row: HtmlRow, texts: readonly string[], isBody: boolean): (cell: HtmlElement) => boolean {
  if (row.section === 'thead') return () => true;
  if (isAllHeader(row)) {
    const hasFigures = texts.slice(1).some((text) => FIGURE.test(text) && !YEAR.test(text));
    return () => row.section === 'tbody' && !(isBody && hasFigures);
  }
  const hasValues = row.cells.some(({ tagName }, at) => tagName === 'td' && texts[at] !== '');
  return ({ tagName }) => hasValues && tagName === 'th';
}

/** A label over several columns is one over the whole row if nothing else is in the row. */
function stretchLabels(grid: readonly TableRow[]): TableRow[] {
  const columns = grid.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return grid.map((row) => {
    const [first, ...others] = new Set(row.cells);
    const isLabel = first !== undefined && others.length === 0 && row.cells.length > 1;
    return isLabel ? { ...row, cells: Array.from({ length: columns }, () => first) } : row;
  });
}

function spanOf(cell: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attributeOf(cell, name) ?? '1', 10);
  if (name === 'rowspan') return span >= 0 ? span : 1;
  return span >= 1 ? Math.min(span, MAX_COLUMN_SPAN) : 1;
}

const MAX_BELOW = 6;
const MAX_LEVELS = 3;
/** A note at the start of a paragraph, or behind the full stop of another note. */
const RAISED_MARK = /(?:^|[.;,]|\n)\s*\u0002\s*[[(]?(\d{1,2})[\])]?\s*\u0003/g;
const PLAIN_MARK = /^\s*[[(]?(\d{1,2})[\])]?[.:]?\s+(?=\p{L})/u;

/** Numbers of the notes below a table. */
export function noteNumbers(table: HtmlElement, notes: readonly HtmlElement[]): ReadonlySet<string> {
  const marks = new Set<string>();
  for (const element of [...notes, ...elementsBelow(table)]) {
    const blocks = [
      element,
      ...elementsIn(element, ({ tagName }) => /^(?:p|li|dt|dd|td|div)$/.test(tagName)),
    ];
    for (const text of blocks.map(markedText)) {
      const plain = PLAIN_MARK.exec(text)?.[1];
      if (plain !== undefined) marks.add(plain);
      for (const [, mark = ''] of text.matchAll(RAISED_MARK)) marks.add(mark);
    }
    if (element.tagName === 'ol')
      for (const at of childrenOf(element).filter(isElement).keys()) marks.add(String(at + 1));
  }
  return marks;
}

/** Elements behind the table, and behind what encloses it, up to the next heading or table. */
function elementsBelow(table: HtmlElement): HtmlElement[] {
  const below: HtmlElement[] = [];
  let at: HtmlNode | null = table;
  for (let level = 0; level < MAX_LEVELS && at !== null && 'parentNode' in at; level += 1) {
    const parent: HtmlNode | null = at.parentNode;
    const siblings = parent === null ? [] : childrenOf(parent);
    for (let next = siblings.indexOf(at) + 1; next < siblings.length; next += 1) {
      const element = siblings[next];
      if (element === undefined || !isElement(element)) continue;
      const isOther =
        STRUCTURE_UNDER_HEADER.test(element.tagName) || containsTag(element, STRUCTURE_UNDER_HEADER);
      if (isOther || below.length >= MAX_BELOW) return below;
      below.push(element);
    }
    at = parent;
  }
  return below;
}

function markedText(node: HtmlNode): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  if (node.nodeName === 'br') return '\n';
  const text = childrenOf(node).map(markedText).join('');
  return isElement(node) && scriptOf(node) === 'sup' ? `\u0002${text}\u0003` : text;
}
