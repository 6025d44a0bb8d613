import { stripUnsafe } from '../../lib/untrusted-text';
import { imageFormulaText, isBlock, mathMarkupText, stackedFractionText } from './html-math';
import { hasRowLabels, isLayoutTable, noteNumbers, readTableRows, tableGrid } from './html-tables';
import {
  attributeOf,
  childrenOf,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isForScreenReaders,
  isHiddenElement,
  isWithin,
  rawTextOf,
  scriptOf,
  textOf,
} from './html-tree';
import { finishLine, markApart, markLowered, markRaised } from './office-text';
import { tableText } from './tables';

/** Note marks such as `1`, `[1]`, `(1)`, `*` and `a`. */
const NOTE_MARK = /^[[(]?\s*(\d{1,4}|[*†‡§¶]{1,3}|[a-z])\s*[\])]?[.,;]?$/i;

const NOTE_ELEMENTS = new Set(['li', 'dd', 'aside']);

const MARKED_NOTE_ELEMENTS = new Set(['p', 'div', 'td']);

/** An anchor may be the first element of its note. */
const ANCHOR_ELEMENTS = new Set(['a', 'span', 'sup']);

const MAX_NOTE_CHARS = 3_000;

export interface HtmlSelection {
  parts?: readonly HtmlNode[];
  leaveOut?: (element: HtmlElement) => boolean;
}

/** Markdown without escapes, link addresses and note numbers. Only inline styles hide content. */
export function htmlMarkdown(
  page: HtmlNode,
  { parts = [page], leaveOut = () => false }: HtmlSelection = {},
): string {
  const { notes, cited } = findNotes(page);
  const writer: Writer = { lines: [], open: '', lead: null, notes, cited, leaveOut, noteNumbers: null };
  for (const part of parts) {
    readNode(part, TOP_CONTEXT, writer);
    closeParagraph(TOP_CONTEXT, writer);
  }
  return `${writer.lines.join('\n')}\n`;
}

interface Writer {
  lines: string[];
  open: string;
  /** List marker for the next line, instead of its indentation. */
  lead: string | null;
  notes: HtmlNotes;
  cited: (link: HtmlElement) => string | null;
  leaveOut: (element: HtmlElement) => boolean;
  /** Numbers of the notes of the table; null outside of tables. */
  noteNumbers: ReadonlySet<string> | null;
}

const NO_NUMBERS: ReadonlySet<string> = new Set();

interface BlockContext {
  indent: string;
  /** Nesting level of lists and quotations. */
  depth: number;
  isNote: boolean;
}

const TOP_CONTEXT: BlockContext = { indent: '', depth: 0, isNote: false };

/** Deeper lists and quotations become paragraphs. */
const MAX_DEPTH = 8;

const BLOCK_ELEMENTS = new Set(
  'html body header main footer section article aside div details summary figure figcaption p dl dt address center form fieldset legend caption tr li hgroup'.split(
    ' ',
  ),
);

function readNode(node: HtmlNode, around: BlockContext, writer: Writer): void {
  if (node.nodeName === '#text' && 'value' in node)
    writer.open += stripUnsafe(node.value).replace(/\s+/g, ' ');
  else if (!isElement(node)) readChildren(node, around, writer);
  else if (!isLeftOut(node, writer)) readElement(node, around, writer);
  else if (!writer.leaveOut(node)) readHidden(node, writer);
}

/** `/`, but not the plus sign of `3<span class="sr-only">+</span>1⁄4`, which is 3 1⁄4. */
const SPOKEN_SIGN = /^[^\p{L}\p{N}\s+]$/u;

/** Formulas and the signs in numbers, which screen readers read. */
function readHidden(element: HtmlElement, writer: Writer): void {
  const formula = imageFormulaText(element);
  if (formula !== null) writer.open += formula;
  else if (isForScreenReaders(element)) {
    const text = stripUnsafe(textOf(element));
    writer.open += SPOKEN_SIGN.test(text) ? text : markApart('');
  }
}

function readChildren(node: HtmlNode, around: BlockContext, writer: Writer): void {
  for (const child of childrenOf(node)) readNode(child, around, writer);
}

function readElement(element: HtmlElement, around: BlockContext, writer: Writer): void {
  const { tagName } = element;
  const note = writer.notes.get(element);
  const fraction = stackedFractionText(element);
  if (fraction !== null) writer.open += fraction;
  else if (note !== undefined && !around.isNote) readNote(element, note, writer, around);
  else if (/^h[1-6]$/.test(tagName)) readHeading(element, Number(tagName.slice(1)), around, writer);
  else if (tagName === 'br') writer.open += '\n';
  else if (tagName === 'hr') closeParagraph(around, writer);
  else if (tagName === 'ul' || tagName === 'ol') readList(element, around, writer);
  else if (tagName === 'dd') readItem(element, '- ', around, writer);
  else if (tagName === 'blockquote') readQuotation(element, around, writer);
  else if (tagName === 'pre' && !containsTag(element, /^table$/)) readCode(element, around, writer);
  else if (tagName === 'table') readTable(element, around, writer);
  else if (tagName === 'a') readLink(element, around, writer);
  else if (tagName === 'q') readQuoted(element, around, writer);
  else if (scriptOf(element) === 'sup') readSuperscript(element, around, writer);
  else if (scriptOf(element) === 'sub') writer.open += markLowered(elementText(element, around, writer));
  else if (tagName === 'math') writer.open += markApart(mathMarkupText(element));
  else if (tagName === 'img') writer.open += imageFormulaText(element) ?? '';
  else if (BLOCK_ELEMENTS.has(tagName) || tagName === 'pre') readBlock(element, around, writer);
  else if (isBlock(element)) readLines(element, around, writer);
  else readChildren(element, around, writer);
}

function readBlock(element: HtmlElement, around: BlockContext, writer: Writer): void {
  closeParagraph(around, writer);
  readChildren(element, around, writer);
  closeParagraph(around, writer);
}

/** Inline elements that a style shows as blocks. */
function readLines(element: HtmlElement, around: BlockContext, writer: Writer): void {
  writer.open += '\n';
  readChildren(element, around, writer);
  writer.open += '\n';
}

function readHeading(element: HtmlElement, level: number, around: BlockContext, writer: Writer): void {
  closeParagraph(around, writer);
  const text = elementText(element, around, writer);
  if (text !== '') writeBlock([`${'#'.repeat(level)} ${text}`], around, writer);
}

function elementText(element: HtmlElement, around: BlockContext, writer: Writer): string {
  const within: Writer = { ...writer, lines: [], open: '', lead: null };
  readChildren(element, { ...TOP_CONTEXT, isNote: around.isNote }, within);
  closeParagraph(TOP_CONTEXT, within);
  return within.lines.filter((line) => line !== '').join(' ');
}

function readNote(element: HtmlElement, label: string, writer: Writer, around: BlockContext): void {
  closeParagraph(around, writer);
  writer.lead = null;
  const text = elementText(element, { ...TOP_CONTEXT, isNote: true }, writer);
  if (text !== '') writeBlock([`[${label}] ${text}`], TOP_CONTEXT, writer);
}

function readList(list: HtmlElement, around: BlockContext, writer: Writer): void {
  closeParagraph(around, writer);
  let next = listNumber(attributeOf(list, 'start')) ?? 1;
  for (const item of childrenOf(list)) {
    if (!isElement(item) || item.tagName !== 'li') {
      readNode(item, around, writer);
      continue;
    }
    const number = listNumber(attributeOf(item, 'value')) ?? next;
    next = number + 1;
    if (writer.notes.has(item)) readNode(item, around, writer);
    else if (!isHiddenElement(item) && !writer.leaveOut(item))
      readItem(item, list.tagName === 'ol' ? `${number}. ` : '- ', around, writer);
  }
  closeParagraph(around, writer);
}

function listNumber(written: string | null): number | null {
  return written !== null && /^\d{1,9}$/.test(written.trim()) ? Number(written) : null;
}

function readItem(item: HtmlElement, mark: string, around: BlockContext, writer: Writer): void {
  closeParagraph(around, writer);
  if (around.depth >= MAX_DEPTH) return readBlock(item, around, writer);
  writer.lead = `${writer.lead ?? around.indent}${mark}`;
  const inside = { ...around, depth: around.depth + 1, indent: around.indent + ' '.repeat(mark.length) };
  readBlock(item, inside, writer);
  writer.lead = null;
}

function readQuotation(element: HtmlElement, around: BlockContext, writer: Writer): void {
  closeParagraph(around, writer);
  if (around.depth >= MAX_DEPTH) return readBlock(element, around, writer);
  if (writer.lead !== null) writer.lead += '> ';
  readBlock(element, { ...around, depth: around.depth + 1, indent: `${around.indent}> ` }, writer);
}

function readCode(element: HtmlElement, around: BlockContext, writer: Writer): void {
  closeParagraph(around, writer);
  const code = stripUnsafe(rawText(element)).replace(/^\n+|\s+$/g, '');
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  if (code !== '') writeBlock([fence, ...code.split('\n'), fence], around, writer);
}

function rawText(node: HtmlNode): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  if (isElement(node) && isHiddenElement(node)) return '';
  return isElement(node) && node.tagName === 'br' ? '\n' : childrenOf(node).map(rawText).join('');
}

function readTable(table: HtmlElement, around: BlockContext, writer: Writer): void {
  closeParagraph(around, writer);
  const read = readTableRows(table, writer.leaveOut);
  for (const caption of read.captions) readBlock(caption, around, writer);
  const cells = read.rows.flatMap((row) => row.cells);
  if (cells.some((cell) => writer.notes.has(cell)) || isLayoutTable(read))
    for (const cell of cells) readCell(cell, around, writer);
  else {
    const hasRaised = elementsIn(table, (element) => scriptOf(element) === 'sup').length > 0;
    const inTable = { ...writer, noteNumbers: hasRaised ? noteNumbers(table, read.notes) : NO_NUMBERS };
    const grid = tableGrid(read, (cell) =>
      isLeftOut(cell, writer) ? '' : elementText(cell, around, inTable),
    );
    // Rows with labels of their own have no header row above them.
    const text = hasRowLabels(read) ? grid.map((row) => tableText([row])).join('\n\n') : tableText(grid);
    for (const statement of text.split(/\n{2,}/))
      if (statement !== '') writeBlock([statement], around, writer);
  }
  for (const cell of read.notes) readCell(cell, around, writer);
}

function readCell(cell: HtmlElement, around: BlockContext, writer: Writer): void {
  if (writer.notes.has(cell)) readNode(cell, around, writer);
  else if (!isLeftOut(cell, writer)) readBlock(cell, around, writer);
}

function isLeftOut(element: HtmlElement, writer: Writer): boolean {
  return isHiddenElement(element) || writer.leaveOut(element);
}

function containsTag(element: HtmlElement, what: RegExp): boolean {
  return elementsIn(element, ({ tagName }) => what.test(tagName)).length > 0;
}

function readLink(link: HtmlElement, around: BlockContext, writer: Writer): void {
  const citesNote = writer.cited(link) !== null && !around.isNote;
  const leadsBack = fragmentOf(link) !== null && around.isNote;
  if (!citesNote && !leadsBack) readChildren(link, around, writer);
}

function readQuoted(element: HtmlElement, around: BlockContext, writer: Writer): void {
  writer.open += '“';
  readChildren(element, around, writer);
  writer.open += '”';
}

/** Raised numbers in sentences may be citations, which the reader of the Markdown decides. */
function readSuperscript(element: HtmlElement, around: BlockContext, writer: Writer): void {
  const citesNotes = elementsIn(element, (link) => writer.cited(link) !== null).length > 0;
  if (citesNotes) return readChildren(element, around, writer);
  const text = elementText(element, around, writer);
  if (isDegree(text, element, writer)) writer.open += '°';
  else if (isDivided(element) || !(isNoteMark(text, writer) || isLinkedMark(text, element, around, writer)))
    writer.open += markRaised(text);
}

/** True of `<sup>o</sup>C`. */
function isDegree(text: string, element: HtmlElement, { open }: Writer): boolean {
  if (!/^[oO]$/.test(text) || /\p{L}$/u.test(open.slice(-1))) return false;
  const siblings = element.parentNode === null ? [] : childrenOf(element.parentNode);
  const next = siblings[siblings.indexOf(element) + 1];
  return next !== undefined && /^\s*[CF](?![\p{L}\p{N}])/u.test(rawTextOf(next));
}

/** A raised link within the page, whose note may be missing. */
function isLinkedMark(text: string, element: HtmlElement, around: BlockContext, writer: Writer): boolean {
  if (around.isNote || !NOTE_MARK.test(text) || finishLine(writer.open.slice(-MAX_WORD_CHARS)) === '')
    return false;
  const isOuter = ({ parentNode }: HtmlElement): boolean =>
    parentNode !== null &&
    isElement(parentNode) &&
    parentNode.tagName === 'a' &&
    fragmentOf(parentNode) !== null;
  return (
    isOuter(element) ||
    elementsIn(element, (link) => link.tagName === 'a' && fragmentOf(link) !== null).length > 0
  );
}

/** Letters and signs, also several: `a`, `a,b`, `ab`, `**`. Ordinals such as `st` and `er` are none. */
const LETTER_MARK = /^(?:[a-h]{1,4}|[i-m]|[o-z]|[*†‡§¶#]{1,3})$/;
const MAX_WORD_CHARS = 60;
const TEN = /(?:^|[^\d.,])10$/;
const SHORT_WORD = /(?:^|[^\p{L}])\p{L}{1,3}$/u;

/** Only in tables is a raised letter or number behind a figure a note rather than an exponent. */
function isNoteMark(text: string, { open, noteNumbers: numbers }: Writer): boolean {
  const before = finishLine(open.slice(-MAX_WORD_CHARS));
  if (numbers === null || before === '') return false;
  const isUnit = (mark: string): boolean => /^[23]$/.test(mark) && SHORT_WORD.test(before);
  const isNumber = (mark: string): boolean => numbers.has(mark) && !TEN.test(before) && !isUnit(mark);
  // Exponents stand in no brackets.
  if (/^\[\d{1,3}\]$/.test(text)) return true;
  const marks = text.replace(/[[\]()\s]/g, '').split(/[,;]/);
  return marks.every((mark) => LETTER_MARK.test(mark) || isNumber(mark));
}

/** True of `<sup>1</sup>/<sub>4</sub>`. */
function isDivided(element: HtmlElement): boolean {
  const siblings = element.parentNode === null ? [] : childrenOf(element.parentNode);
  const at = siblings.indexOf(element);
  const [sign, below] = siblings.slice(at + 1, at + 3);
  return (
    below !== undefined &&
    isElement(below) &&
    scriptOf(below) === 'sub' &&
    sign !== undefined &&
    /^[/⁄∕]$/.test(textOf(sign))
  );
}

/** `<sup>1</sup>/<sub>4</sub>`, or with a fraction slash. */
const FRACTION = /\u0002?(?<![\d.,])(\d+)\u0003?(?:(?<=\u0003)\s*[/⁄∕]\s*(?=\u0004)|⁄)\u0004?(\d+)\u0005?/g;

function closeParagraph(around: BlockContext, writer: Writer): void {
  const lines = writer.open
    .replace(FRACTION, (_fraction, above: string, below: string) => markApart(`${above}/${below}`))
    .split('\n')
    .map(finishLine)
    .filter((line) => line !== '');
  writer.open = '';
  if (lines.length > 0) writeBlock(lines, around, writer);
}

function writeBlock(block: readonly string[], { indent }: BlockContext, writer: Writer): void {
  if (writer.lines.length > 0) writer.lines.push(indent.trimEnd());
  for (const [at, line] of block.entries())
    writer.lines.push(`${at === 0 ? (writer.lead ?? indent) : indent}${line}`);
  writer.lead = null;
}

/** Labels of notes such as footnotes and reference list entries. */
type HtmlNotes = ReadonlyMap<HtmlElement, string>;

/** A numbered link to a note is a citation. All items of a list with a cited note are notes. */
function findNotes(page: HtmlNode): { notes: HtmlNotes; cited: (link: HtmlElement) => string | null } {
  const places = new Map<string, HtmlElement>();
  for (const element of elementsIn(page, () => true))
    for (const name of [attributeOf(element, 'id'), attributeOf(element, 'name')])
      if (name !== null && !places.has(name)) places.set(name, element);
  const notes = new Map<HtmlElement, string>();
  const links = new Map<HtmlElement, string>();
  const taken = new Map<string, number>();
  const add = (note: HtmlElement, wanted: string): string => {
    const known = notes.get(note);
    if (known !== undefined) return known;
    const times = taken.get(wanted) ?? 0;
    taken.set(wanted, times + 1);
    const label = times === 0 ? wanted : `${wanted}-${times + 1}`;
    notes.set(note, label);
    return label;
  };
  const knownNotes = new Map<HtmlElement, HtmlElement | null>();
  for (const link of elementsIn(page, ({ tagName }) => tagName === 'a')) {
    const mark = NOTE_MARK.exec(textOf(link))?.[1];
    const place = mark === undefined ? undefined : places.get(fragmentOf(link) ?? '');
    if (mark === undefined || place === undefined) continue;
    const known = knownNotes.get(place);
    const note = known === undefined ? findNote(place, mark) : known;
    knownNotes.set(place, note);
    if (note !== null && !isWithin(link, note)) links.set(link, add(note, /\w/.test(mark) ? mark : 'note'));
  }
  const lists = new Set(
    [...notes.keys()].flatMap(({ tagName, parentNode }) => (tagName === 'li' ? [parentNode] : [])),
  );
  for (const list of lists)
    for (const item of list === null ? [] : childrenOf(list))
      if (isElement(item) && item.tagName === 'li') add(item, 'uncited');
  return { notes, cited: (link) => links.get(link) ?? null };
}

function fragmentOf(link: HtmlElement): string | null {
  const href = attributeOf(link, 'href')?.trim() ?? '';
  if (!href.startsWith('#') || href === '#') return null;
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1); // malformed escapes
  }
}

function findNote(place: HtmlElement, mark: string): HtmlElement | null {
  const above = place.parentNode;
  const isFirst =
    ANCHOR_ELEMENTS.has(place.tagName) && above !== null && isElement(above) && isFirstChild(above, place);
  const note = isFirst ? above : place;
  if (!isElement(note) || !(NOTE_ELEMENTS.has(note.tagName) || MARKED_NOTE_ELEMENTS.has(note.tagName)))
    return null;
  const text = textOf(note);
  if (MARKED_NOTE_ELEMENTS.has(note.tagName) && !text.replace(/^[\s[(^]+/, '').startsWith(mark)) return null;
  const isShort = text.length > 0 && text.length <= MAX_NOTE_CHARS;
  return isShort && elementsIn(note, ({ tagName }) => /^h[1-6]$/.test(tagName)).length === 0 ? note : null;
}

function isFirstChild(above: HtmlElement, place: HtmlElement): boolean {
  return childrenOf(above).find((child) => isElement(child) || textOf(child) !== '') === place;
}
