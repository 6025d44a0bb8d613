import type { DocumentPart, Parsed } from './parsed-document';
import { markdownTable } from './table-rows';
import {
  attributeByName,
  childElements,
  descendantElements,
  isTrueAttribute,
  parseXml,
  type XmlElement,
  xmlText,
} from './xml';
import { type Archive, coreMetadata, mainPart, openArchive, relatedParts } from './zip-package';

/** Hidden slides are skipped and reported. */
export async function parsePptx(bytes: Uint8Array, onPart: (slide: number) => void): Promise<Parsed> {
  const archive = await openArchive(bytes);
  const main = await mainPart(archive);
  const related = await relatedParts(archive, main);
  const listed = descendantElements(parseXml(await archive.text(main)), 'sldId');
  const parts: DocumentPart[] = [];
  let hidden = 0;
  for (const [at, { attributes }] of listed.entries()) {
    onPart(at + 1);
    // `id` is a number; `r:id` refers to the part.
    const id = Object.entries(attributes).find(([name]) => /:id$/.test(name))?.[1] ?? '';
    const path = related.get(id)?.path;
    if (path === undefined) continue;
    const text = await slideText(archive, path);
    if (text === null) hidden += 1;
    else parts.push({ text, name: `slide ${at + 1}` });
  }
  const remarks =
    hidden === 0 ? [] : [`${hidden} hidden ${hidden === 1 ? 'slide is' : 'slides are'} left out`];
  return { ok: true, documents: [{ fields: await coreMetadata(archive), parts, remarks }] };
}

/** Null for a hidden slide. */
async function slideText(archive: Archive, path: string): Promise<string | null> {
  const [slide] = childElements(parseXml(await archive.text(path)));
  if (slide === undefined) return '';
  if (/^(?:0|false)$/.test(attributeByName(slide, 'show') ?? '')) return null;
  const notes = [...(await relatedParts(archive, path)).values()].find(({ kind }) => kind === 'notesSlide');
  const noted =
    notes === undefined || !archive.has(notes.path) ? [] : notesOf(parseXml(await archive.text(notes.path)));
  return [...readShapes(slide), ...noted].filter((block) => block !== '').join('\n\n');
}

function notesOf(notes: XmlElement): string[] {
  const body = descendantElements(notes, 'sp').filter((shape) => placeholderOf(shape) === 'body');
  const text = body.flatMap(paragraphsOf).join('\n\n');
  return text === '' ? [] : [`Notes: ${text}`];
}

const FOOTER_PLACEHOLDERS = new Set(['dt', 'ftr', 'sldNum']);

function readShapes(element: XmlElement): string[] {
  return childElements(element).flatMap((child) => {
    if (child.local === 'Fallback' || isHidden(child)) return [];
    if (child.local === 'tbl') return [tableOf(child)];
    if (child.local !== 'sp') return readShapes(child);
    const kind = placeholderOf(child);
    if (FOOTER_PLACEHOLDERS.has(kind)) return [];
    const paragraphs = paragraphsOf(child);
    const isTitle = kind === 'title' || kind === 'ctrTitle';
    return isTitle && paragraphs.length > 0 ? [`## ${paragraphs.join(' ')}`] : paragraphs;
  });
}

function isHidden(shape: XmlElement): boolean {
  const properties = childElements(shape).filter(({ local }) => /^nv\w*Pr$/.test(local));
  return properties
    .flatMap((one) => childElements(one, 'cNvPr'))
    .some((one) => isTrueAttribute(one, 'hidden'));
}

function placeholderOf(shape: XmlElement): string {
  const [placeholder] = descendantElements(shape, 'ph');
  return placeholder === undefined ? '' : (attributeByName(placeholder, 'type') ?? 'obj');
}

function tableOf(table: XmlElement): string {
  const rows = childElements(table, 'tr').map((row) =>
    childElements(row, 'tc').map((cell) => paragraphsOf(cell).join(' ')),
  );
  return markdownTable(rows);
}

function paragraphsOf(element: XmlElement): string[] {
  return descendantElements(element, 'p')
    .map((paragraph) => runsOf(paragraph).replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

function runsOf(element: XmlElement): string {
  return childElements(element)
    .map((child) => {
      if (child.local === 't') return xmlText(child);
      return child.local === 'br' || child.local === 'tab' ? ' ' : runsOf(child);
    })
    .join('');
}
