import { mathParagraphText, mathText } from './office-math';
import { finishLine, markLowered, markRaised } from './office-text';
import type { DocumentPart, Parsed } from './parsed-document';
import { textInFont, unknownSignsRemark } from './symbol-fonts';
import { placeSpans, type SpannedCell, tableText } from './tables';
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
  const remarks = unknownSignsRemark(parts.map(({ text }) => text).join(''));
  if (hidden > 0) remarks.unshift(`${hidden} hidden ${hidden === 1 ? 'slide is' : 'slides are'} left out`);
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

/** A merged cell comes first; the places that it covers are marked. */
function tableOf(table: XmlElement): string {
  const isTitled = childElements(table, 'tblPr').some((properties) =>
    isTrueAttribute(properties, 'firstRow'),
  );
  const rows = childElements(table, 'tr').map((row, at) =>
    childElements(row, 'tc')
      .filter((cell) => !isTrueAttribute(cell, 'hMerge') && !isTrueAttribute(cell, 'vMerge'))
      .map((cell): SpannedCell => ({
        text: paragraphsOf(cell).join(' '),
        columns: spanOf(cell, 'gridSpan'),
        rows: spanOf(cell, 'rowSpan'),
        isHeader: isTitled && at === 0,
      })),
  );
  return tableText(placeSpans(rows));
}

function spanOf(cell: XmlElement, local: string): number {
  return Number(/^\d{1,4}$/.exec(attributeByName(cell, local) ?? '')?.[0] ?? 1);
}

function paragraphsOf(element: XmlElement): string[] {
  return descendantElements(element, 'p')
    .map((paragraph) => finishLine(textOf(paragraph)))
    .filter((text) => text !== '');
}

/** With the marks of `office-text.ts`. */
function textOf(element: XmlElement): string {
  return childElements(element)
    .map((child) => {
      const { local } = child;
      if (local === 'Fallback' || isSlideNumber(child)) return '';
      if (local === 'br' || local === 'tab') return ' ';
      if (local === 'r' || local === 'fld') return runText(child);
      if (local === 'oMath') return mathText(child, runText);
      return local === 'oMathPara' ? mathParagraphText(child, runText) : textOf(child);
    })
    .join('');
}

function isSlideNumber(element: XmlElement): boolean {
  return element.local === 'fld' && attributeByName(element, 'type') === 'slidenum';
}

function runText(run: XmlElement): string {
  const [properties] = childElements(run, 'rPr');
  const words = childElements(run, 't').map(xmlText).join('');
  if (properties === undefined) return textInFont(words, '');
  const fontOf = (local: string): string | undefined =>
    childElements(properties, local).map((font) => attributeByName(font, 'typeface'))[0];
  const text = textInFont(words, fontOf('latin') ?? '', fontOf('sym') ?? fontOf('latin'));
  const baseline = Number(attributeByName(properties, 'baseline') ?? 0);
  if (baseline > 0) return markRaised(text);
  return baseline < 0 ? markLowered(text) : text;
}
