import { parseFormat } from '../../src/sources/formats/parse-format';
import { madeZip } from './made-files';

// Word documents and slides from the XML that Office writes, and their text.

export interface ReadOffice {
  content: string;
  places: string[];
  remarks: string[];
}

export async function readOffice(format: 'docx' | 'pptx', bytes: Uint8Array): Promise<ReadOffice> {
  const parsed = await parseFormat(format, bytes, () => undefined);
  if (!parsed.ok) throw new Error(parsed.message);
  const [document] = parsed.documents;
  const { content = '', pages = [] } = document?.fields ?? {};
  return { content, places: pages.map(({ name = '' }) => name), remarks: document?.remarks ?? [] };
}

export function relations(...all: readonly (readonly [id: string, kind: string, target: string])[]): string {
  const listed = all.map(
    ([id, kind, target]) => `<Relationship Id="${id}" Type="http://x/${kind}" Target="${target}"/>`,
  );
  return `<Relationships>${listed.join('')}</Relationships>`;
}

interface WordParts {
  styles?: string;
  /** By id. */
  footnotes?: Readonly<Record<number, string>>;
  endnotes?: Readonly<Record<number, string>>;
}

export function wordFile(
  body: string,
  { styles = '', footnotes = {}, endnotes = {} }: WordParts = {},
): Promise<Uint8Array> {
  const notes = (kind: string, listed: Readonly<Record<number, string>>): string => {
    const all = Object.entries(listed).map(([id, blocks]) => `<w:${kind} w:id="${id}">${blocks}</w:${kind}>`);
    return `<w:${kind}s>${all.join('')}</w:${kind}s>`;
  };
  return madeZip({
    '_rels/.rels': relations(['a', 'officeDocument', 'word/document.xml']),
    'word/_rels/document.xml.rels': relations(
      ['s', 'styles', 'styles.xml'],
      ['f', 'footnotes', 'footnotes.xml'],
      ['e', 'endnotes', 'endnotes.xml'],
    ),
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles>${styles}</w:styles>`,
    'word/footnotes.xml': notes('footnote', footnotes),
    'word/endnotes.xml': notes('endnote', endnotes),
  });
}

export async function wordText(body: string, parts: WordParts = {}): Promise<string> {
  return (await readOffice('docx', await wordFile(body, parts))).content;
}

export const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

export const raised = (text: string): string => run(text, '<w:vertAlign w:val="superscript"/>');

export const lowered = (text: string): string => run(text, '<w:vertAlign w:val="subscript"/>');

/** Texts become runs; XML stays. */
export const paragraph = (...parts: readonly string[]): string =>
  `<w:p>${parts.map((part) => (part.startsWith('<') ? part : run(part))).join('')}</w:p>`;

export const cell = (content: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith('<') ? content : paragraph(content)}</w:tc>`;

export const row = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map((content) => (/^<w:(?:tc|trPr)/.test(content) ? content : cell(content))).join('')}</w:tr>`;

export const table = (...rows: readonly string[]): string => `<w:tbl><w:tblPr/>${rows.join('')}</w:tbl>`;

/** An equation; texts within become runs. */
export const math = (...parts: readonly string[]): string =>
  `<m:oMath>${parts.map(mathRun).join('')}</m:oMath>`;

/** A structure such as `m:f` from its parts, such as `num` and `den`. */
export function mathPart(
  name: string,
  parts: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
): string {
  const set = Object.entries(settings).map(([local, value]) => `<m:${local} m:val="${value}"/>`);
  const written = Object.entries(parts).map(([local, part]) => `<m:${local}>${mathRun(part)}</m:${local}>`);
  return `<m:${name}><m:${name}Pr>${set.join('')}<m:ctrlPr/></m:${name}Pr>${written.join('')}</m:${name}>`;
}

function mathRun(part: string): string {
  return part === '' || part.startsWith('<') ? part : `<m:r><w:rPr/><m:t>${part}</m:t></m:r>`;
}

const slideRun = (text: string, properties = ''): string => `<a:r>${properties}<a:t>${text}</a:t></a:r>`;

/** Texts become runs; XML stays. */
export const slideParagraph = (...parts: readonly string[]): string =>
  `<a:p>${parts.map((part) => (part.startsWith('<') ? part : slideRun(part))).join('')}</a:p>`;

export const slideShape = (kind: string, ...paragraphs: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1"/><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs.map((text) => (text.startsWith('<') ? text : slideParagraph(text))).join('')}</p:txBody></p:sp>`;

export const slideCell = (content: string, attributes = ''): string =>
  `<a:tc ${attributes}><a:txBody>${content.startsWith('<') ? content : slideParagraph(content)}</a:txBody></a:tc>`;

export const slideRow = (...cells: readonly string[]): string =>
  `<a:tr>${cells.map((content) => (content.startsWith('<a:tc') ? content : slideCell(content))).join('')}</a:tr>`;

export const slideTable = (attributes: string, ...rows: readonly string[]): string =>
  `<p:graphicFrame><a:tbl><a:tblPr ${attributes}/>${rows.join('')}</a:tbl></p:graphicFrame>`;

export const slide = (shapes: string, attributes = ''): string =>
  `<p:sld ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

/** Slides in another order than their files; the notes belong to the first. */
export function slideFile(slides: readonly string[], notes?: string): Promise<Uint8Array> {
  const numbered = slides.map((xml, at): [string, string] => [`slides/slide${slides.length - at}.xml`, xml]);
  const listed = slides.map((_xml, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`).join('');
  return madeZip({
    '_rels/.rels': relations(['a', 'officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${listed}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ...numbered.map(([path], at): [string, string, string] => [`r${at}`, 'slide', path]),
    ),
    ...Object.fromEntries(numbered.map(([path, xml]) => [`ppt/${path}`, xml])),
    ...(notes === undefined
      ? {}
      : {
          [`ppt/slides/_rels/slide${slides.length}.xml.rels`]: relations([
            'n',
            'notesSlide',
            '../notes/n1.xml',
          ]),
          'ppt/notes/n1.xml': `<p:notes>${slideShape('sldNum', '1')}${slideShape('body', notes)}</p:notes>`,
        }),
  });
}

export async function slideText(...slides: readonly string[]): Promise<string> {
  return (await readOffice('pptx', await slideFile(slides))).content;
}
