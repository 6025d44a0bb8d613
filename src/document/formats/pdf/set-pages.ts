import { once } from 'node:events';
import { create } from 'fontkit';
import PDFDocument from 'pdfkit';
import { stripUnsafe } from '../../../core/text/untrusted-text';
import { readGivenFile } from '../../../platform/given-file';
import { count } from '../../../core/writing/count';
import type { DocumentTree } from '../../document';
import {
  type Block,
  isRightToLeft,
  type Run,
  type RunStyle,
  type TextBlock,
  wordsOfRuns,
} from '../../paper/block';
import { provenanceOf } from '../reference';
import { sfntOfWoff } from './sfnt-of-woff';

/** In points: A4, its margins, sizes of letters. */
const MARGIN = 60;
const TEXT = 10;
const SMALL = 8.5;
const HEADINGS = [20, 15, 12.5, 11, 10.5, 10];
const RAISED = 0.65;
const LINE_GAP = 1.5;
const GAP = 5;
const INDENT = 14;

const INK = '#1f2328';
const LINK = '#1d4ed8';

/** DejaVu Sans has the signs of Latin, Greek, Cyrillic, Hebrew, Arabic and of mathematics, which no font that PDF itself names has. */
const FONTS = {
  plain: '400-normal',
  bold: '700-normal',
  italic: '400-italic',
  boldItalic: '700-italic',
} as const;

type FontName = keyof typeof FONTS;

async function readFont(name: FontName): Promise<Buffer> {
  const file = require.resolve(`@fontsource/dejavu-sans/files/dejavu-sans-latin-${FONTS[name]}.woff`);
  const given = await readGivenFile(file, { maxBytes: MOST_FONT_BYTES });
  if (!given.ok)
    throw new Error(`A font of the package cannot be read: ${file} ${given.message}. Install it anew.`);
  return sfntOfWoff(given.bytes);
}

const MOST_FONT_BYTES = 4 * 1024 * 1024;

/** In the place of a sign that the font lacks. */
const LACKING = '□';

type Pdf = PDFKit.PDFDocument;

interface Setter {
  pdf: Pdf;
  /** The structure of the whole, for those who have it read out. */
  root: PDFKit.PDFStructureElement;
  /** Of the last heading and of those that it stands under. */
  outline: { level: number; entry: PDFKit.PDFOutline }[];
  /** Code points that the font has signs for, and signs that were wanted and are not among them. */
  known: ReadonlySet<number>;
  lacking: Set<string>;
  hasRightToLeft: boolean;
}

/** A tagged PDF with outline and links, and what it lacks in sentences. */
export async function setPages(
  blocks: readonly Block[],
  tree: DocumentTree,
): Promise<{ bytes: Uint8Array; lacks: string[] }> {
  const made = provenanceOf(tree);
  const pdf = newPdf(tree, made);
  const parts: Uint8Array[] = [];
  pdf.on('data', (part: Uint8Array) => parts.push(part));
  const names = Object.keys(FONTS) as FontName[]; // its own keys
  const fonts = new Map(await Promise.all(names.map(async (name) => [name, await readFont(name)] as const)));
  for (const [name, font] of fonts) pdf.registerFont(name, font);
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const plain = create(fonts.get('plain') ?? Buffer.alloc(0));
  const known = new Set('characterSet' in plain ? plain.characterSet : []);
  const setter: Setter = { pdf, root, outline: [], known, lacking: new Set(), hasRightToLeft: false };
  for (const block of blocks) {
    if (block.kind === 'table') setTable(block.rows, setter);
    else setText(block, setter);
  }
  root.end();
  setFooters(made, setter);
  const ended = once(pdf, 'end');
  pdf.end();
  await ended;
  return { bytes: Buffer.concat(parts), lacks: lacksOf(setter) };
}

function newPdf({ title, question, version, asOf }: DocumentTree, made: string): Pdf {
  const at = new Date(asOf ?? 0);
  return new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: stripUnsafe(title),
      Subject: stripUnsafe(question),
      Keywords: made,
      Creator: `Colligate ${version}`,
      // Of the material: the same document is the same file.
      CreationDate: Number.isNaN(at.getTime()) ? new Date(0) : at,
    },
  });
}

function setText(block: TextBlock, setter: Setter): void {
  const { pdf, root } = setter;
  const { kind, level, number, runs } = block;
  const isHeading = kind === 'heading';
  const words = runs.every(({ style }) => style.small) ? SMALL : TEXT;
  const size = isHeading ? (HEADINGS[level - 1] ?? TEXT) : words;
  const depth = kind === 'quote' ? 1 : isHeading ? 0 : level;
  if (isHeading) pdf.y += GAP;
  // A heading does not stand alone at the foot of a page.
  const room = size * (isHeading ? 5 : 1.5);
  if (pdf.y + room > pdf.page.height - MARGIN) pdf.addPage();
  if (isHeading) addOutline(block, setter);
  pdf.x = MARGIN + depth * INDENT;
  const width = pdf.page.width - MARGIN - pdf.x;
  const element = pdf.struct(
    isHeading ? `H${level}` : kind === 'quote' ? 'BlockQuote' : kind === 'item' ? 'LI' : 'P',
  );
  root.add(element);
  const marker = number === null ? '•' : `${number}.`;
  const marked = kind === 'item' ? [runOf(`${marker} `), ...runs] : runs;
  if (isRightToLeft(wordsOfRuns(runs))) setter.hasRightToLeft = true;
  const bold = isHeading ? { bold: true as const } : {};
  for (const [at, run] of marked.entries()) {
    const isLast = at === marked.length - 1;
    setRun(
      { ...run, style: { ...run.style, ...bold } },
      { size, width, continued: !isLast, element },
      setter,
    );
  }
  element.end();
  pdf.y += GAP;
}

interface Setting {
  size: number;
  width: number;
  continued: boolean;
  element: PDFKit.PDFStructureElement;
}

function setRun(run: Run, { size, width, continued, element }: Setting, setter: Setter): void {
  const { pdf } = setter;
  const { style, to, places } = run;
  const { raised, struck } = style;
  const lowered = raised ? size * (1 - RAISED) : 0;
  const text = shown(run.text, setter);
  for (const place of places) pdf.addNamedDestination(place, 'XYZ', MARGIN, pdf.y, null);
  pdf
    .font(fontOf(style))
    // Signs of one line are level at their tops.
    .fontSize(size - lowered)
    .fillColor(to === null ? INK : LINK);
  const link = to === null ? {} : 'url' in to ? { link: to.url } : { goTo: to.place };
  // A link ends with its structure; everything else holds until it is told otherwise.
  const options = { ...link, width, continued, lineGap: LINE_GAP + 1.2 * lowered, strike: struck ?? false };
  const put = (): void => void pdf.text(text, options);
  element.add(pdf.struct(to === null ? 'Span' : 'Link', {}, [put]));
}

function runOf(text: string): Run {
  return { text, style: {}, to: null, places: [] };
}

function fontOf({ bold, italic, marked }: RunStyle): FontName {
  if (bold || marked) return italic ? 'boldItalic' : 'bold';
  return italic ? 'italic' : 'plain';
}

function setTable(rows: readonly Run[][][], setter: Setter): void {
  const { pdf, root } = setter;
  const element = pdf.struct('Div');
  root.add(element);
  pdf.x = MARGIN;
  pdf.font('plain').fontSize(SMALL).fillColor(INK);
  for (const run of rows.flat(2))
    for (const place of run.places) pdf.addNamedDestination(place, 'XYZ', MARGIN, pdf.y, null);
  const options = { structParent: element, defaultStyle: { border: { bottom: 0.5 }, padding: 3 } };
  const table = pdf.table(options);
  for (const [at, cells] of rows.entries())
    table.row(
      cells.map((runs) => ({
        text: shown(wordsOfRuns(runs), setter),
        ...(at === 0 ? { type: 'TH' as const, font: { src: 'bold' } } : {}),
      })),
    );
  table.end();
  element.end();
  pdf.y += 2 * GAP;
}

function addOutline({ level, runs }: TextBlock, { pdf, outline }: Setter): void {
  while ((outline.at(-1)?.level ?? 0) >= level) outline.pop();
  const above = outline.at(-1)?.entry ?? pdf.outline;
  outline.push({ level, entry: above.addItem(wordsOfRuns(runs)) });
}

function setFooters(made: string, setter: Setter): void {
  const { pdf } = setter;
  const { start, count: pages } = pdf.bufferedPageRange();
  for (let at = start; at < start + pages; at += 1) {
    pdf.switchToPage(at);
    // The foot lies in the margin, where text would begin another page.
    pdf.page.margins.bottom = 0;
    pdf.markContent('Artifact', { type: 'Pagination' });
    pdf.font('plain').fontSize(SMALL).fillColor(INK);
    const text = shown(`${made}, page ${at + 1} of ${pages}`, setter);
    pdf.text(text, MARGIN, pdf.page.height - MARGIN / 1.5, { lineBreak: false });
    pdf.endMarkedContent();
  }
}

/** What the font has signs for. */
function shown(text: string, { known, lacking }: Setter): string {
  return stripUnsafe(text).replace(/[^\n ]/gu, (sign) => {
    if (known.has(sign.codePointAt(0) ?? 0)) return sign;
    lacking.add(sign);
    return LACKING;
  });
}

const MOST_TOLD = 10;

function lacksOf({ lacking, hasRightToLeft }: Setter): string[] {
  const told = [...lacking].sort().slice(0, MOST_TOLD).join(' ');
  const more = lacking.size > MOST_TOLD ? ' and others' : '';
  return [
    ...(lacking.size === 0
      ? []
      : [
          `${count(lacking.size, 'sign')} that its font lacks stand${lacking.size === 1 ? 's' : ''} there as ${LACKING}: ${told}${more}. A Chromium prints them.`,
        ]),
    ...(hasRightToLeft
      ? ['Words that are written from right to left stand there from left to right. A Chromium orders them.']
      : []),
  ];
}
