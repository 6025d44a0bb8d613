import {
  AlignmentType,
  BookmarkEnd,
  BookmarkStart,
  Document,
  ExternalHyperlink,
  Footer,
  HeadingLevel,
  InternalHyperlink,
  type INumberingOptions,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import JSZip from 'jszip';
import { stripUnsafe } from '../../lib/untrusted-text';
import { pageTexts } from '../page-texts';
import type { DocumentTree } from './document';
import { htmlPage } from './html-page';
import { type Block, isRightToLeft, pageBlocks, type Run, type TextBlock, wordsOfRuns } from './page-blocks';
import { provenanceOf } from './text-formats';

/** First date that a ZIP file can store, for undated documents. */
const NO_DATE = '1980-01-01T00:00:00.000Z';

const LINK_NAME = /\b((?:r:id|Id)=")(rId[a-z0-9_-]{21})(?=")/g;

export async function renderDocx(tree: DocumentTree): Promise<Uint8Array> {
  const made = provenanceOf(tree);
  const writer: Writer = { lists: [], placeNames: new Map(), bookmarks: 0 };
  const children = pageBlocks(htmlPage(tree)).map((block) => blockOf(block, writer));
  const footer = new Paragraph({
    alignment: AlignmentType.CENTER,
    children: [
      new TextRun({
        size: SMALL_SIZE,
        children: [`${made}${pageTexts.footPage}`, PageNumber.CURRENT],
      }),
    ],
  });
  const file = new Document({
    title: xmlText(tree.title),
    subject: xmlText(tree.question),
    creator: `Colligate ${tree.version}`,
    lastModifiedBy: `Colligate ${tree.version}`,
    description: made,
    customProperties: [
      { name: 'Run', value: xmlText(tree.id) },
      { name: 'Colligate', value: tree.version },
      { name: 'Engine', value: tree.engine ?? '' },
    ],
    styles: STYLES,
    numbering: { config: [BULLETS, ...writer.lists] },
    sections: [{ footers: { default: new Footer({ children: [footer] }) }, children }],
  });
  return reproduciblePackage(await Packer.toBuffer(file), tree.asOf);
}

/** In half points. */
const SMALL_SIZE = 18;
/** In twentieths of a point. */
const INDENT = 360;
const GAP = 120;

const heading = (size: number): { run: object; paragraph: object } => ({
  run: { size, bold: true, color: '1F2937' },
  paragraph: { spacing: { before: 2 * GAP, after: GAP }, keepNext: true },
});

const STYLES = {
  default: {
    document: { run: { font: 'Calibri', size: 22 }, paragraph: { spacing: { after: GAP } } },
    title: { run: { size: 40, bold: true }, paragraph: { spacing: { after: 2 * GAP } } },
    heading1: heading(32),
    heading2: heading(26),
    heading3: heading(23),
    heading4: heading(22),
    heading5: heading(22),
  },
  paragraphStyles: [
    {
      id: 'Quote',
      name: 'Quote',
      basedOn: 'Normal',
      quickFormat: true,
      paragraph: { indent: { left: INDENT }, spacing: { after: GAP } },
    },
  ],
};

type ListOptions = INumberingOptions['config'][number];

const BULLETS: ListOptions = { reference: 'bullets', levels: levelsOf(LevelFormat.BULLET, () => '•', 1) };

interface Writer {
  lists: (ListOptions & { next: number })[];
  placeNames: Map<string, string>;
  bookmarks: number;
}

function levelsOf(
  format: 'bullet' | 'decimal',
  textOf: (level: number) => string,
  start: number,
): ListOptions['levels'] {
  return [0, 1, 2, 3, 4, 5].map((level) => ({
    level,
    format,
    start,
    text: textOf(level),
    alignment: AlignmentType.START,
    style: { paragraph: { indent: { left: (level + 1) * INDENT + 120, hanging: INDENT + 60 } } },
  }));
}

/** Continues a list with its next number, else begins another list at that number. */
function listReference(number: number, { lists }: Writer): string {
  const last = lists.at(-1);
  if (last?.next === number) {
    last.next += 1;
    return last.reference;
  }
  const reference = `numbers-${lists.length + 1}`;
  lists.push({
    reference,
    levels: levelsOf(LevelFormat.DECIMAL, (level) => `%${level + 1}.`, number),
    next: number + 1,
  });
  return reference;
}

const HEADINGS = [
  HeadingLevel.TITLE,
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
];

function blockOf(block: Block, writer: Writer): Paragraph | Table {
  return block.kind === 'table' ? tableOf(block.rows, writer) : paragraphOf(block, writer);
}

function paragraphOf({ kind, level, number, runs }: TextBlock, writer: Writer): Paragraph {
  const children = runs.flatMap((run) => childrenOf(run, writer));
  const bidirectional = isRightToLeft(wordsOfRuns(runs));
  const common = { children, bidirectional };
  const heading = HEADINGS[level - 1];
  if (kind === 'heading') return new Paragraph({ ...common, ...(heading === undefined ? {} : { heading }) });
  if (kind === 'item') {
    const reference = number === null ? BULLETS.reference : listReference(number, writer);
    return new Paragraph({ ...common, numbering: { reference, level: Math.min(level, 6) - 1 } });
  }
  if (kind === 'quote') return new Paragraph({ ...common, style: 'Quote' });
  return new Paragraph({ ...common, ...(level === 0 ? {} : { indent: { start: (level + 1) * INDENT } }) });
}

function tableOf(rows: readonly Run[][][], writer: Writer): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: rows.map(
      (cells, at) =>
        new TableRow({
          tableHeader: at === 0,
          cantSplit: true,
          children: cells.map(
            (runs) =>
              new TableCell({
                margins: { top: 40, bottom: 40, left: 80, right: 80 },
                children: [paragraphOf({ kind: 'paragraph', level: 0, number: null, runs }, writer)],
              }),
          ),
        }),
    ),
  });
}

function childrenOf({ text, style, to, places }: Run, writer: Writer): ParagraphChild[] {
  const { bold, italic, struck, code, small, marked, raised } = style;
  const lines = xmlText(text).split('\n');
  const words = lines.map(
    (line, at) =>
      new TextRun({
        text: line,
        ...(at === 0 ? {} : { break: 1 }),
        bold,
        italics: italic,
        strike: struck,
        font: code ? 'Consolas' : undefined,
        size: small ? SMALL_SIZE : undefined,
        shading: marked ? { fill: 'FFF1A8' } : undefined,
        superScript: raised,
        color: to === null ? undefined : '1D4ED8',
        rightToLeft: isRightToLeft(line) || undefined,
      }),
  );
  const linked =
    to === null
      ? words
      : 'url' in to
        ? [new ExternalHyperlink({ link: to.url, children: words })]
        : [new InternalHyperlink({ anchor: placeName(to.place, writer), children: words })];
  // The library's own bookmarks all have the same number, and get lost within a link.
  return places.reduce<ParagraphChild[]>((children, place) => {
    writer.bookmarks += 1;
    const name = placeName(place, writer);
    return [new BookmarkStart(name, writer.bookmarks), ...children, new BookmarkEnd(writer.bookmarks)];
  }, linked);
}

/** Word allows unique, case-insensitive names of up to 40 letters, digits and underscores. */
function placeName(place: string, { placeNames }: Writer): string {
  const known = placeNames.get(place);
  if (known !== undefined) return known;
  const name = `p${placeNames.size + 1}_${place.replace(/[^A-Za-z0-9]+/g, '_')}`.slice(0, 40);
  placeNames.set(place, name);
  return name;
}

/** Removes the two characters that HTML allows and XML does not. */
function xmlText(text: string): string {
  return stripUnsafe(text).replace(/[\ufffe\uffff]/g, '');
}

/** Removes clock and randomness from a Word package, for equal bytes. The library writes the current time and random link names. */
async function reproduciblePackage(bytes: Uint8Array, asOf: string | null): Promise<Uint8Array> {
  const given = await JSZip.loadAsync(bytes);
  const at = new Date(asOf ?? NO_DATE);
  const date = Number.isNaN(at.getTime()) ? new Date(NO_DATE) : at;
  const links = new Map<string, string>();
  const settled = new JSZip();
  const files = Object.values(given.files).filter(({ dir }) => !dir);
  for (const { name } of files.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const text = (await given.file(name)?.async('string')) ?? '';
    const named = withLinkNames(text, links);
    settled.file(name, name === 'docProps/core.xml' ? withDate(named, date) : named, {
      date,
      createFolders: false,
    });
  }
  return settled.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
}

function withLinkNames(xml: string, links: Map<string, string>): string {
  return xml.replace(LINK_NAME, (_name, before: string, name: string) => {
    const settled = links.get(name) ?? `rIdLink${links.size + 1}`;
    links.set(name, settled);
    return `${before}${settled}`;
  });
}

function withDate(xml: string, date: Date): string {
  return xml.replace(/(<dcterms:[^>]*>)[^<]*/g, (_element, tag: string) => `${tag}${date.toISOString()}`);
}
