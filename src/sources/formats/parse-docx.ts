import { append } from '../../lib/iterables';
import { markdownSections } from './document-text';
import { mathParagraphText, mathText } from './office-math';
import { finishLine, markLowered, markRaised } from './office-text';
import type { Parsed } from './parsed-document';
import { signOf, textInFont, UNKNOWN_SIGN, unknownSignsRemark } from './symbol-fonts';
import { placeSpans, type SpannedCell, tableText } from './tables';
import { attributeByName, childElements, parseXml, type XmlElement, xmlText } from './xml';
import { coreMetadata, mainPart, openArchive, relatedParts } from './zip-package';

export async function parseDocx(bytes: Uint8Array): Promise<Parsed> {
  const archive = await openArchive(bytes);
  const main = await mainPart(archive);
  const related = [...(await relatedParts(archive, main)).values()];
  const partOf = async (kind: string): Promise<XmlElement[]> => {
    const path = related.find((part) => part.kind === kind)?.path;
    if (path === undefined || !archive.has(path)) return [];
    return childElements(parseXml(await archive.text(path))).flatMap((root) => childElements(root));
  };
  const styles = await partOf('styles');
  const notes = [...(await partOf('footnotes')), ...(await partOf('endnotes'))];
  const reader: Reader = {
    styles: new Map(styles.map((style) => [attributeByName(style, 'styleId') ?? '', style])),
    notes: new Map(notes.map((note) => [`${note.local} ${attributeByName(note, 'id') ?? ''}`, note])),
    asides: [],
    font: '',
    isShaded: false,
    isAside: false,
  };
  const [document] = childElements(parseXml(await archive.text(main)));
  const [body] = document === undefined ? [] : childElements(document, 'body');
  const blocks = body === undefined ? [] : readBlocks(body, reader);
  const text = blocks.filter((block) => block !== '').join('\n\n');
  const fields = await coreMetadata(archive);
  const remarks = unknownSignsRemark(text);
  return { ok: true, documents: [{ fields, parts: markdownSections(text), remarks }] };
}

interface Reader {
  styles: ReadonlyMap<string, XmlElement>;
  /** By kind and id. Notes that are placed are removed. */
  notes: Map<string, XmlElement>;
  /** Notes and text boxes of the current paragraph or table, which follow it. */
  asides: XmlElement[];
  font: string;
  /** White text is visible on shaded ground. */
  isShaded: boolean;
  /** Within a note or a text box, where headings name no part. */
  isAside: boolean;
}

/** Deleted text, field codes and properties. */
const SKIPPED_ELEMENTS = new Set(
  'del moveFrom instrText delText delInstrText rPr pPr tblPr tblGrid trPr tcPr sectPr sdtPr annotationRef'.split(
    ' ',
  ),
);

function readBlocks(element: XmlElement, reader: Reader): string[] {
  return childElements(element).flatMap((child) => {
    if (SKIPPED_ELEMENTS.has(child.local)) return [];
    if (child.local === 'AlternateContent') return readBlocks(chosenBranch(child), reader);
    if (child.local === 'p') return withAsides(readParagraph(child, reader), reader);
    if (child.local === 'tbl') return readTable(child, reader);
    return readBlocks(child, reader);
  });
}

function withAsides(block: string, reader: Reader): string[] {
  const asides = reader.asides.splice(0);
  return [block, ...asides.flatMap((aside) => readBlocks(aside, { ...reader, isAside: true }))];
}

/** The fallback for older programs repeats the text of the choice. */
function chosenBranch(alternatives: XmlElement): XmlElement {
  const [choice] = childElements(alternatives, 'Choice');
  const [fallback] = childElements(alternatives, 'Fallback');
  return choice ?? fallback ?? alternatives;
}

function readParagraph(paragraph: XmlElement, reader: Reader): string {
  const properties = childElements(paragraph, 'pPr');
  const isShaded = reader.isShaded || isShadedBy(properties);
  const text = finishLine(textOf(paragraph, isShaded ? { ...reader, isShaded } : reader));
  if (text === '') return '';
  const level = reader.isAside ? null : headingLevel(properties, reader);
  if (level !== null) return `${'#'.repeat(Math.min(6, level))} ${text}`;
  const [numbering] = properties.flatMap((one) => childElements(one, 'numPr'));
  if (numbering === undefined || settingOf([numbering], 'numId') === '0') return text;
  return `${'  '.repeat(countOf(settingOf([numbering], 'ilvl'), 0))}- ${text}`;
}

function headingLevel(properties: readonly XmlElement[], { styles }: Reader): number | null {
  const own = outlineLevel(properties);
  const style = styles.get(settingOf(properties, 'pStyle') ?? '');
  if (own !== null || style === undefined) return own;
  // Word stores English style names in every language.
  const name = settingOf([style], 'name')?.toLowerCase() ?? '';
  if (name === 'title') return 1;
  return Number(/^heading ([1-9])$/.exec(name)?.[1] ?? 0) || outlineLevel(childElements(style, 'pPr'));
}

function outlineLevel(properties: readonly XmlElement[]): number | null {
  const level = settingOf(properties, 'outlineLvl');
  return level !== undefined && /^[0-8]$/.test(level) ? Number(level) + 1 : null;
}

/** The value of the first element with this name; empty if it has none. */
function settingOf(properties: readonly XmlElement[], local: string): string | undefined {
  for (const one of properties) {
    const [found] = childElements(one, local);
    if (found !== undefined) return attributeByName(found, 'val') ?? '';
  }
  return undefined;
}

const BLANK_ELEMENTS = new Set(['tab', 'br', 'cr', 'ptab']);

/** With the marks of `office-text.ts`. */
function textOf(element: XmlElement, reader: Reader): string {
  return childElements(element)
    .map((child) => {
      const { local } = child;
      if (isUnreadEquation(child)) return UNKNOWN_SIGN;
      if (SKIPPED_ELEMENTS.has(local)) return '';
      if (local === 't') return textInFont(xmlText(child), reader.font);
      if (local === 'r') return runText(child, reader);
      if (BLANK_ELEMENTS.has(local)) return ' ';
      if (local === 'noBreakHyphen') return '-';
      if (local === 'sym') return symbolText(child);
      if (local === 'oMath') return mathText(child, (run) => runText(run, reader));
      if (local === 'oMathPara') return mathParagraphText(child, (run) => runText(run, reader));
      if (local === 'AlternateContent') return textOf(chosenBranch(child), reader);
      if (local === 'tbl') return ` ${nestedTableText(child, reader)} `;
      if (local === 'txbxContent' || local === 'txBody') reader.asides.push(child);
      else if (local === 'footnoteReference' || local === 'endnoteReference') placeNote(child, reader);
      else if (local === 'p') return ` ${textOf(child, reader)} `;
      else return textOf(child, reader);
      return '';
    })
    .join('');
}

/** Equations of MathType and of fields are pictures or commands. */
function isUnreadEquation(element: XmlElement): boolean {
  if (element.local === 'instrText') return /^\s*EQ\s/i.test(xmlText(element));
  const [object] = element.local === 'object' ? childElements(element, 'OLEObject') : [];
  return object !== undefined && (attributeByName(object, 'ProgID') ?? '').startsWith('Equation');
}

function symbolText(symbol: XmlElement): string {
  const code = Number.parseInt(attributeByName(symbol, 'char') ?? '', 16);
  return Number.isNaN(code) ? '' : signOf(attributeByName(symbol, 'font') ?? '', code);
}

/** The reference number is omitted, because it would read as a citation. */
function placeNote(reference: XmlElement, { notes, asides }: Reader): void {
  const key = `${reference.local.replace('Reference', '')} ${attributeByName(reference, 'id') ?? ''}`;
  const note = notes.get(key);
  if (note !== undefined && notes.delete(key)) asides.push(note);
}

function runText(run: XmlElement, reader: Reader): string {
  const properties = runProperties(run, reader);
  if (isHidden(properties, reader)) return '';
  const [font = ''] = properties
    .flatMap((one) => childElements(one, 'rFonts'))
    .flatMap((fonts) => attributeByName(fonts, 'ascii') ?? attributeByName(fonts, 'hAnsi') ?? []);
  const shown = isMarkedByHand(run) ? { ...run, children: childElements(run).filter(isReference) } : run;
  const text = textOf(shown, font === reader.font ? reader : { ...reader, font });
  const position = settingOf(properties, 'vertAlign');
  if (position === 'superscript') return markRaised(text);
  return position === 'subscript' ? markLowered(text) : text;
}

function isReference({ local }: XmlElement): boolean {
  return local.endsWith('Reference');
}

/** The text of such a run is the mark of the note, such as `*`. */
function isMarkedByHand(run: XmlElement): boolean {
  return childElements(run)
    .filter(isReference)
    .some((reference) => isOn(attributeByName(reference, 'customMarkFollows')));
}

const MAX_STYLES = 20;

/** Direct formatting first, then the character style and the styles that it is based on. */
function runProperties(run: XmlElement, { styles }: Reader): XmlElement[] {
  const properties = childElements(run, 'rPr');
  let id = settingOf(properties, 'rStyle');
  for (let depth = 0; id !== undefined && depth < MAX_STYLES; depth += 1) {
    const style = styles.get(id);
    if (style === undefined) break;
    append(properties, childElements(style, 'rPr'));
    id = settingOf([style], 'basedOn');
  }
  return properties;
}

/** In half points. */
const MIN_FONT_SIZE = 4;

function isHidden(properties: readonly XmlElement[], { isShaded }: Reader): boolean {
  if (isOn(settingOf(properties, 'vanish'))) return true;
  const size = settingOf(properties, 'sz');
  if (size !== undefined && Number(size) < MIN_FONT_SIZE) return true;
  if (settingOf(properties, 'color')?.toUpperCase() !== 'FFFFFF') return false;
  const highlight = settingOf(properties, 'highlight') ?? 'none';
  return !isShaded && !isShadedBy(properties) && /^(?:none|white)$/.test(highlight);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(?:0|false|off)$/.test(value);
}

function isShadedBy(properties: readonly XmlElement[]): boolean {
  return properties
    .flatMap((one) => childElements(one, 'shd'))
    .some((shading) => !/^(?:auto|FFFFFF)$/i.test(attributeByName(shading, 'fill') ?? 'auto'));
}

function readTable(table: XmlElement, reader: Reader): string[] {
  const rows = rowsOf(table).map((row) => childrenWithin(row, 'tc'));
  // A single column is a frame around paragraphs.
  if (rows.every(({ length }) => length === 1))
    return rows.flat().flatMap((cell) => readBlocks(cell, onGroundOf([table, cell], reader)));
  return withAsides(tableText(placeSpans(tableRows(table, reader))), reader);
}

/** Each row of a table in a cell is in brackets, so that it stays with the row around it. */
function nestedTableText(table: XmlElement, reader: Reader): string {
  const text = tableText(placeSpans(tableRows(table, reader)));
  const rows = text === '' ? [] : text.split('\n\n');
  return rows.map((row) => `(${row.replace(/\.$/, '')})`).join(' ');
}

/** Children with a name, also within content controls and marks of revision. */
function childrenWithin(element: XmlElement, local: string): XmlElement[] {
  return childElements(element).flatMap((child) => {
    if (child.local === local) return [child];
    return WRAPPERS.has(child.local) ? childrenWithin(child, local) : [];
  });
}

const WRAPPERS = new Set(['sdt', 'sdtContent', 'customXml', 'smartTag', 'ins', 'moveTo']);

/** Without rows whose deletion is tracked. */
function rowsOf(table: XmlElement): XmlElement[] {
  return childrenWithin(table, 'tr').filter((row) =>
    childElements(row, 'trPr').every((properties) => childElements(properties, 'del').length === 0),
  );
}

interface WordCell extends SpannedCell {
  columns: number;
  rows: number;
}

function tableRows(table: XmlElement, reader: Reader): SpannedCell[][] {
  let above = new Map<number, WordCell>();
  const tableReader = onGroundOf([table], reader);
  return rowsOf(table).map((row, at) => {
    const rowReader = onGroundOf(at === 0 ? firstRowStyles(table, reader) : [], tableReader);
    const properties = childElements(row, 'trPr');
    const isHeader = isOn(settingOf(properties, 'tblHeader'));
    const before = countOf(settingOf(properties, 'gridBefore'), 0);
    const cells: WordCell[] = before === 0 ? [] : [{ text: '', columns: before, rows: 1 }];
    const merged = new Map<number, WordCell>();
    let column = before;
    for (const cell of childrenWithin(row, 'tc')) {
      const own = childElements(cell, 'tcPr');
      const columns = countOf(settingOf(own, 'gridSpan'), 1);
      const [last] = cells.slice(-1);
      const [across, down] = [settingOf(own, 'hMerge'), settingOf(own, 'vMerge')];
      const continued = down !== undefined && down !== 'restart' ? above.get(column) : undefined;
      if (across !== undefined && across !== 'restart' && last !== undefined) last.columns += columns;
      else if (continued?.columns === columns) {
        continued.rows += 1;
        merged.set(column, continued);
      } else {
        const text = finishLine(textOf(cell, onGroundOf([cell], rowReader)));
        const started: WordCell = { text, columns, rows: 1, isHeader };
        cells.push(started);
        if (down !== undefined) merged.set(column, started);
      }
      column += columns;
    }
    above = merged;
    return cells;
  });
}

function countOf(value: string | undefined, otherwise: number): number {
  return value !== undefined && /^\d{1,4}$/.test(value) ? Number(value) : otherwise;
}

function onGroundOf(parts: readonly XmlElement[], reader: Reader): Reader {
  const properties = parts.flatMap((part) =>
    childElements(part).filter(({ local }) => /^(?:tbl|tc)Pr$/.test(local)),
  );
  return isShadedBy(properties) ? { ...reader, isShaded: true } : reader;
}

function firstRowStyles(table: XmlElement, { styles }: Reader): XmlElement[] {
  const style = styles.get(settingOf(childElements(table, 'tblPr'), 'tblStyle') ?? '');
  return (style === undefined ? [] : childElements(style, 'tblStylePr')).filter(
    (part) => attributeByName(part, 'type') === 'firstRow',
  );
}
