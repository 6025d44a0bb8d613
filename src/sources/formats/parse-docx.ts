import { markdownSections, toSuperscript } from './document-text';
import type { Parsed } from './parsed-document';
import { markdownTable } from './table-rows';
import { attributeByName, childElements, descendantElements, parseXml, type XmlElement } from './xml';
import { type Archive, coreMetadata, mainPart, openArchive, relatedParts } from './zip-package';

export async function parseDocx(bytes: Uint8Array): Promise<Parsed> {
  const archive = await openArchive(bytes);
  const main = await mainPart(archive);
  const related = [...(await relatedParts(archive, main)).values()];
  const pathOf = (kind: string): string | undefined => related.find((part) => part.kind === kind)?.path;
  const levels = await headingLevels(archive, pathOf('styles'));
  const writer: Writer = { levels, noted: new Set() };
  const [document] = childElements(parseXml(await archive.text(main)));
  const [body] = document === undefined ? [] : childElements(document, 'body');
  const blocks = body === undefined ? [] : readBlocks(body, writer);
  const notes = await readNotes(archive, [pathOf('footnotes'), pathOf('endnotes')], writer);
  const text = [...blocks, ...notes].filter((block) => block !== '').join('\n\n');
  return { ok: true, documents: [{ fields: await coreMetadata(archive), parts: markdownSections(text) }] };
}

interface Writer {
  levels: ReadonlyMap<string, number>;
  /** Referenced notes in order, as kind and id. */
  noted: Set<string>;
}

async function headingLevels(archive: Archive, path: string | undefined): Promise<Map<string, number>> {
  const levels = new Map<string, number>();
  if (path === undefined || !archive.has(path)) return levels;
  for (const style of descendantElements(parseXml(await archive.text(path)), 'style')) {
    const id = attributeByName(style, 'styleId') ?? '';
    // Word stores English style names in every language.
    const name = valueIn(style, 'name')?.toLowerCase() ?? '';
    const level =
      name === 'title' ? 1 : Number(/^heading ([1-9])$/.exec(name)?.[1] ?? 0) || outlineLevel(style);
    if (level !== null) levels.set(id, level);
  }
  return levels;
}

function outlineLevel(element: XmlElement): number | null {
  const [properties] = childElements(element, 'pPr');
  const level = properties === undefined ? undefined : valueIn(properties, 'outlineLvl');
  return level !== undefined && /^[0-8]$/.test(level) ? Number(level) + 1 : null;
}

function valueIn(element: XmlElement, local: string): string | undefined {
  const [child] = childElements(element, local);
  return child === undefined ? undefined : attributeByName(child, 'val');
}

function readBlocks(element: XmlElement, writer: Writer): string[] {
  return childElements(element).flatMap((child) => {
    if (SKIPPED_ELEMENTS.has(child.local)) return [];
    if (child.local === 'p') return [paragraphOf(child, writer)];
    if (child.local === 'tbl') return [tableOf(child, writer)];
    return readBlocks(child, writer);
  });
}

function paragraphOf(paragraph: XmlElement, writer: Writer): string {
  const text = textOf(paragraph, writer).replace(/\s+/g, ' ').trim();
  if (text === '') return '';
  const [properties] = childElements(paragraph, 'pPr');
  if (properties === undefined) return text;
  const level = outlineLevel(paragraph) ?? writer.levels.get(valueIn(properties, 'pStyle') ?? '');
  if (level !== undefined) return `${'#'.repeat(Math.min(6, level))} ${text}`;
  const [numbering] = childElements(properties, 'numPr');
  if (numbering === undefined || valueIn(numbering, 'numId') === '0') return text;
  return `${'  '.repeat(Number(valueIn(numbering, 'ilvl')) || 0)}- ${text}`;
}

function tableOf(table: XmlElement, writer: Writer): string {
  const rows = childElements(table, 'tr').map((row) =>
    childElements(row, 'tc').map((cell) => textOf(cell, writer)),
  );
  return markdownTable(rows);
}

/** Deleted text, field codes and fallback content for older programs. */
const SKIPPED_ELEMENTS = new Set(
  'del moveFrom instrText delText delInstrText Fallback rPr pPr tblPr tblGrid sectPr sdtPr annotationRef'.split(
    ' ',
  ),
);
const BLANK_ELEMENTS = new Set(['tab', 'br', 'cr', 'ptab']);

function textOf(element: XmlElement, writer: Writer): string {
  return childElements(element)
    .map((child) => {
      const { local } = child;
      if (SKIPPED_ELEMENTS.has(local)) return '';
      if (local === 't') return child.children.filter((text) => typeof text === 'string').join('');
      if (BLANK_ELEMENTS.has(local)) return ' ';
      if (local === 'noBreakHyphen') return '-';
      if (local === 'footnoteReference' || local === 'endnoteReference') recordNote(child, writer);
      if (local === 'r') return runText(child, writer);
      const text = textOf(child, writer);
      return local === 'p' || local === 'tc' ? ` ${text} ` : text;
    })
    .join('');
}

function runText(run: XmlElement, writer: Writer): string {
  const [properties] = childElements(run, 'rPr');
  if (properties !== undefined && isHidden(properties)) return '';
  const text = textOf(run, writer);
  const isRaised = properties !== undefined && valueIn(properties, 'vertAlign') === 'superscript';
  return isRaised ? toSuperscript(text) : text;
}

/** In half points. */
const MIN_FONT_SIZE = 4;

function isHidden(properties: XmlElement): boolean {
  const [vanish] = childElements(properties, 'vanish');
  if (vanish !== undefined && !/^(?:0|false|off)$/.test(attributeByName(vanish, 'val') ?? '')) return true;
  const size = valueIn(properties, 'sz');
  if (size !== undefined && Number(size) < MIN_FONT_SIZE) return true;
  const isOnGround = ['shd', 'highlight'].some((local) => childElements(properties, local).length > 0);
  return valueIn(properties, 'color')?.toUpperCase() === 'FFFFFF' && !isOnGround;
}

/** The reference number is omitted, because it would read as a citation. */
function recordNote(reference: XmlElement, { noted }: Writer): void {
  noted.add(`${reference.local.replace('Reference', '')} ${attributeByName(reference, 'id') ?? ''}`);
}

async function readNotes(
  archive: Archive,
  paths: readonly (string | undefined)[],
  writer: Writer,
): Promise<string[]> {
  const notes = new Map<string, string>();
  for (const path of paths) {
    if (path === undefined || !archive.has(path)) continue;
    const [listed] = childElements(parseXml(await archive.text(path)));
    for (const note of listed === undefined ? [] : childElements(listed))
      notes.set(`${note.local} ${attributeByName(note, 'id') ?? ''}`, textOf(note, writer).trim());
  }
  return [...writer.noted].flatMap((noted, at) => {
    const text = notes.get(noted)?.replace(/\s+/g, ' ') ?? '';
    return text === '' ? [] : [`[${at + 1}] ${text}`];
  });
}
