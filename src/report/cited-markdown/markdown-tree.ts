import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';

/** A stretch of the Markdown; UTF-16 offsets, `end` exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** A list's item; that of the innermost list. */
export interface ListItem extends Range {
  ordinal: string | null;
  depth: number;
}

/** What holds text, in the order of the document. */
export type Block = Range & { item: ListItem | null } & (
    | { kind: 'heading'; depth: number }
    | { kind: 'paragraph' | 'html' }
    | { kind: 'row'; cells: Range[]; isHeader: boolean }
    | { kind: 'definition'; label: string; url: string; title: string | null }
    | { kind: 'footnote'; label: string }
    | { kind: 'code'; inside: Range; isClosed: boolean }
  );

/**
 * Only blocks are parsed: text within them has no offsets there once escapes and entities are undone, and it is slow for
 * hostile texts; `inline-text.ts` reads it.
 */
const INLINE = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeText',
  'emailAutolink',
  'gfmFootnoteCall',
  'gfmPotentialFootnoteCall',
  'hardBreakEscape',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
  'protocolAutolink',
  'strikethrough',
  'wwwAutolink',
];

const processor = unified().use(remarkParse).use(remarkGfm).use(blocksOnly);

type Root = ReturnType<typeof processor.parse>;
type Node = Root['children'][number];

function blocksOnly(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: INLINE } }];
  // Bare addresses are made links in the finished tree, without offsets.
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) => ({ ...extension, transforms: [] }));
}

export function blocksOf(markdown: string): Block[] {
  return parsePieces(markdown, (piece, offset) => {
    const blocks: Block[] = [];
    collect(processor.parse(piece).children, { piece, offset }, null, blocks);
    return blocks;
  });
}

interface Piece {
  piece: string;
  offset: number;
}

function collect(nodes: readonly Node[], parsed: Piece, item: ListItem | null, blocks: Block[]): void {
  const { offset } = parsed;
  for (const node of nodes) {
    const range = { ...rangeOf(node, offset), item };
    switch (node.type) {
      case 'heading':
        blocks.push({ ...range, kind: 'heading', depth: node.depth });
        break;
      case 'paragraph':
      case 'html':
        blocks.push({ ...range, kind: node.type });
        break;
      case 'table':
        for (const [at, row] of node.children.entries()) {
          const cells = row.children.map((cell) => cellRange(cell, offset));
          blocks.push({ ...rangeOf(row, offset), item, kind: 'row', cells, isHeader: at === 0 });
        }
        break;
      case 'definition':
        blocks.push({
          ...range,
          kind: 'definition',
          label: node.label ?? node.identifier,
          url: node.url,
          title: node.title ?? null,
        });
        break;
      case 'footnoteDefinition':
        // What it holds is its own account of a source.
        blocks.push({ ...range, kind: 'footnote', label: node.label ?? node.identifier });
        break;
      case 'list':
        for (const [at, child] of node.children.entries()) {
          const ordinal = node.ordered === true ? String((node.start ?? 1) + at) : null;
          const inner = { ...rangeOf(child, offset), ordinal, depth: (item?.depth ?? 0) + 1 };
          collect(child.children, parsed, inner, blocks);
        }
        break;
      case 'blockquote':
        collect(node.children, parsed, item, blocks);
        break;
      case 'code':
        blocks.push({ ...range, kind: 'code', ...fencedPart(parsed.piece, offset, range) });
        break;
      default:
        break;
    }
  }
}

function rangeOf(node: Node | Row, offset: number): Range {
  const { start, end } = node.position ?? {};
  return { start: offset + (start?.offset ?? 0), end: offset + (end?.offset ?? 0) };
}

type Table = Extract<Node, { type: 'table' }>;
type Row = Table['children'][number];

/** Without the bars: what the cell's texts span. */
function cellRange(cell: Row['children'][number], offset: number): Range {
  const first = cell.children[0]?.position?.start.offset ?? cell.position?.end.offset ?? 0;
  const last = cell.children.at(-1)?.position?.end.offset ?? first;
  return { start: offset + first, end: offset + last };
}

const FENCE = /^(`{3,}|~{3,})/;
const CLOSING = /\n[ \t>]*(`{3,}|~{3,})[ \t]*$/;

interface Stretch {
  start: number;
  end: number;
}

/** What stands between the fences of a block of code, and whether it has the second; indented code has neither. */
function fencedPart(
  piece: string,
  offset: number,
  { start, end }: Stretch,
): { inside: Stretch; isClosed: boolean } {
  const raw = piece.slice(start - offset, end - offset).trimEnd();
  const fence = FENCE.exec(raw)?.[1];
  if (fence === undefined) return { inside: { start, end }, isClosed: true };
  const first = raw.indexOf('\n');
  const closing = CLOSING.exec(raw);
  const isClosed = closing?.[1]?.startsWith(fence) === true;
  return {
    inside: { start: first < 0 ? end : start + first + 1, end: isClosed ? start + closing.index : end },
    isClosed,
  };
}

/** A parser's time grows faster than its text; what is longer is parsed in pieces that end between blocks. */
const LONG = 40_000;
/** Lines that no blank one parts are one block to a parser, whose time grows with its square. */
const LONG_RUN = 16_000;
/** The same where cutting would tear rows from their table, or what is indented from its item. */
const LONGEST_RUN = 160_000;
/** A line takes time beside that for its signs, so many of which it counts for. */
const LINE = 40;
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})/;
/** Lists and quotations within each other beyond this depth are a stack's end, no structure. */
const DEEPEST = 24;
const MARKERS = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))+/;
const MARKER = />|[-*+][ \t]|\d{1,9}[.)][ \t]/g;

/** What `parse` makes of each piece of the text, together. Pieces are as long as the text that they stand for. */
export function parsePieces<Part>(text: string, parse: (piece: string, offset: number) => Part[]): Part[] {
  const parts: Part[] = [];
  let start = 0;
  let fence: string | null = null;
  let piece = '';
  let weight = 0;
  let run = 0;
  const cut = (): void => {
    for (const part of parse(piece, start)) parts.push(part);
    start += piece.length;
    piece = '';
    weight = 0;
    run = 0;
  };
  for (const line of linesOf(text)) {
    // The rows of a table, and what is indented, belong to what stands before them.
    if (fence === null && run >= (/^[\s|]/.test(line) ? LONGEST_RUN : LONG_RUN)) cut();
    piece += withoutDepth(line);
    weight += LINE + line.length;
    run = line.trim() === '' ? 0 : run + LINE + line.length;
    const mark = FENCE_LINE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
    }
    const isBetweenBlocks = fence === null && (mark !== undefined || line.trim() === '');
    if (isBetweenBlocks && weight >= LONG) cut();
  }
  cut();
  return parts;
}

/** The text, as long as it is, without lists and quotations within each other that no parser's stack holds. */
export function withBoundedDepth(text: string): string {
  return [...linesOf(text)].map(withoutDepth).join('');
}

function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
    yield text.slice(start, at + 1);
    start = at + 1;
  }
  yield text.slice(start);
}

/** As long as before. A byte order mark would shift all that follows. */
function withoutDepth(line: string): string {
  const plain = line.startsWith('\ufeff') ? ` ${line.slice(1)}` : line;
  const indented = plain.replace(/^[ \t]{60,}/, (space) => `x${space.slice(1)}`);
  const markers = MARKERS.exec(indented)?.[0];
  if (markers === undefined || markers.length <= DEEPEST) return indented;
  let depth = 0;
  const fewer = markers.replace(MARKER, (marker) =>
    (depth += 1) <= DEEPEST ? marker : 'x'.repeat(marker.length),
  );
  return fewer + indented.slice(markers.length);
}

/** What is asked of a node of Markdown's tree, whatever its type; offsets are UTF-16 units of the text that was parsed. */
export interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
  depth?: number;
  ordered?: boolean | null | undefined;
  start?: number | null | undefined;
  spread?: boolean | null | undefined;
  url?: string;
  alt?: string | null | undefined;
}

const parser = unified().use(remarkParse).use(remarkGfm).use(withOffsets).freeze();

/** Bare addresses that are made links in the finished tree have no offsets there; those that the parser finds have. */
function withOffsets(this: Processor): void {
  const data = this.data();
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) => ({ ...extension, transforms: [] }));
}

export function parseMarkdown(markdown: string): MarkdownNode {
  return parser.parse(markdown);
}

/**
 * A source's text may be no Markdown, or a cutting of it: an indented line is no code, a line above a rule no heading (nor front
 * matter one), and what looks like HTML is text.
 */
const sourceProcessor = parser()
  .use(withoutConstructs, ['codeIndented', 'setextUnderline', 'htmlFlow', 'htmlText', 'definition'])
  .freeze();

function withoutConstructs(this: Processor, names: string[]): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: names } }];
}

export function parseSourceText(text: string): MarkdownNode {
  return sourceProcessor.parse(text);
}

/** All that makes a line of Markdown read otherwise than it is written; brackets alone, as of citations, do not. */
const SIGNS = /[\\`*_<>&~|#!\n]|\][(:]|^\s*(?:[-+=]|\d{1,9}[.)])/;

/** Markdown as it reads: its words alone, on one line. Most claims have no signs, and are not parsed. */
export function plainText(markdown: string): string {
  if (!SIGNS.test(markdown)) return markdown.replace(/\s+/g, ' ').trim();
  return wordsOf(parseMarkdown(markdown)).replace(/\s+/g, ' ').trim();
}

export function wordsOf(node: MarkdownNode): string {
  if (node.type === 'break') return ' ';
  if (node.type === 'image') return node.alt ?? '';
  if (node.children === undefined) return node.value ?? '';
  return node.children.map(wordsOf).join(BLOCKS.has(node.type) ? ' ' : '');
}

const BLOCKS = new Set(['root', 'blockquote', 'list', 'listItem', 'table', 'tableRow']);

/** What the reader is told first, under the title of a report or a brief: a sentence each, as plain text. */
export function leadingNotices(markdown: string): string[] {
  const [, ...others] = markdown.matchAll(/^#{1,6} /gm);
  const head = parseMarkdown(markdown.slice(0, others[0]?.index)).children ?? [];
  const title = head.findIndex(({ type }) => type === 'heading');
  const told = head[title + 1];
  if (told?.type !== 'blockquote') return [];
  return (told.children ?? []).map((notice) => wordsOf(notice).replace(/\s+/g, ' ').trim());
}

/** What stands under a heading of the second level, up to the next; empty where there is none. A section may be headed the same. */
export function chapterOf(markdown: string, title: string, which: 'first' | 'last'): string {
  const heading = `\n## ${title}\n`;
  const at = which === 'first' ? markdown.indexOf(heading) : markdown.lastIndexOf(heading);
  if (at < 0) return '';
  const from = at + heading.length;
  const end = markdown.indexOf('\n## ', from - 1);
  return markdown.slice(from, end < 0 ? undefined : end).trim();
}

/** The items of a chapter that is a list, as plain text. */
export function itemsOf(chapter: string): string[] {
  const lists = (parseMarkdown(chapter).children ?? []).filter(({ type }) => type === 'list');
  return lists
    .flatMap(({ children = [] }) => children)
    .map((item) => wordsOf(item).replace(/\s+/g, ' ').trim());
}
