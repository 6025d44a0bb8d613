import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';

/** UTF-16 offsets in the Markdown; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** `depth` counts nested lists from 1. */
export interface ListItem extends Range {
  ordinal: string | null;
  depth: number;
}

export type Block = Range & { item: ListItem | null } & (
    | { kind: 'heading'; depth: number }
    | { kind: 'paragraph' | 'html' }
    | { kind: 'row'; cells: Range[]; isHeader: boolean }
    | { kind: 'definition'; label: string; url: string; title: string | null }
    | { kind: 'footnote'; label: string }
    | { kind: 'code'; inside: Range; isClosed: boolean }
  );

/**
 * Only blocks are parsed. Inline nodes lose their offsets once escapes and entities are decoded, and hostile text makes them slow;
 * `inline-text.ts` reads the text instead.
 */
const INLINE_CONSTRUCTS = [
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
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: INLINE_CONSTRUCTS } }];
  // Drops the step that links bare addresses in the finished tree, without offsets.
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) => ({ ...extension, transforms: [] }));
}

export function parseBlocks(markdown: string): Block[] {
  return parsePieces(markdown, (piece, offset) => {
    const blocks: Block[] = [];
    collectBlocks(processor.parse(piece).children, { piece, offset }, null, blocks);
    return blocks;
  });
}

interface Piece {
  piece: string;
  offset: number;
}

function collectBlocks(nodes: readonly Node[], parsed: Piece, item: ListItem | null, blocks: Block[]): void {
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
        // A footnote's content is read as an entry, not as statements.
        blocks.push({ ...range, kind: 'footnote', label: node.label ?? node.identifier });
        break;
      case 'list':
        for (const [at, child] of node.children.entries()) {
          const ordinal = node.ordered === true ? String((node.start ?? 1) + at) : null;
          const inner = { ...rangeOf(child, offset), ordinal, depth: (item?.depth ?? 0) + 1 };
          collectBlocks(child.children, parsed, inner, blocks);
        }
        break;
      case 'blockquote':
        collectBlocks(node.children, parsed, item, blocks);
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

function cellRange(cell: Row['children'][number], offset: number): Range {
  const first = cell.children[0]?.position?.start.offset ?? cell.position?.end.offset ?? 0;
  const last = cell.children.at(-1)?.position?.end.offset ?? first;
  return { start: offset + first, end: offset + last };
}

const FENCE = /^(`{3,}|~{3,})/;
const CLOSING = /\n[ \t>]*(`{3,}|~{3,})[ \t]*$/;

interface CodeRange {
  start: number;
  end: number;
}

function fencedPart(
  piece: string,
  offset: number,
  { start, end }: CodeRange,
): { inside: CodeRange; isClosed: boolean } {
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

/** Parse time grows faster than the text, so that longer texts are parsed in pieces that end between blocks. */
const MAX_PIECE = 40_000;
/** Lines without a blank line between are one block, whose parse time is quadratic. */
const MAX_RUN = 16_000;
/** The same limit where a cut would separate table rows or indented lines from their block. */
const MAX_INDENTED_RUN = 160_000;
/** Cost of a line, in characters. */
const LINE_COST = 40;
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})/;
/** Deeper lists and quotations overflow the stack of a parser. */
const MAX_DEPTH = 24;
const MARKERS = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))+/;
const MARKER = />|[-*+][ \t]|\d{1,9}[.)][ \t]/g;

/** Parses the text in pieces and concatenates the results. Pieces keep the length of their text. */
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
    // Table rows and indented lines belong to the lines before them.
    if (fence === null && run >= (/^[\s|]/.test(line) ? MAX_INDENTED_RUN : MAX_RUN)) cut();
    piece += withoutDepth(line);
    weight += LINE_COST + line.length;
    run = line.trim() === '' ? 0 : run + LINE_COST + line.length;
    const mark = FENCE_LINE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
    }
    const isBetweenBlocks = fence === null && (mark !== undefined || line.trim() === '');
    if (isBetweenBlocks && weight >= MAX_PIECE) cut();
  }
  cut();
  return parts;
}

/** The text with the same length, without lists and quotations that are too deep for a parser's stack. */
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

/** Keeps the length. A parser drops a byte order mark, which would shift all offsets. */
function withoutDepth(line: string): string {
  const plain = line.startsWith('\ufeff') ? ` ${line.slice(1)}` : line;
  const indented = plain.replace(/^[ \t]{60,}/, (space) => `x${space.slice(1)}`);
  const markers = MARKERS.exec(indented)?.[0];
  if (markers === undefined || markers.length <= MAX_DEPTH) return indented;
  let depth = 0;
  const fewer = markers.replace(MARKER, (marker) =>
    (depth += 1) <= MAX_DEPTH ? marker : 'x'.repeat(marker.length),
  );
  return fewer + indented.slice(markers.length);
}

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

/** Drops the step that links bare addresses in the finished tree, without offsets. Links that the parser finds have offsets. */
function withOffsets(this: Processor): void {
  const data = this.data();
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) => ({ ...extension, transforms: [] }));
}

export function parseMarkdown(markdown: string): MarkdownNode {
  return parser.parse(markdown);
}

/** A source's text may be no Markdown: indented lines are no code, a line above a rule is no heading, and HTML-like text is text. */
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

/** Signs that make Markdown read differently from its source; brackets alone, as of citations, do not. */
const MARKDOWN_SIGNS = /[\\`*_<>&~|#!\n]|\][(:]|^\s*(?:[-+=]|\d{1,9}[.)])/;

/** The words of the Markdown on one line. Most claims have no signs and are not parsed. */
export function plainText(markdown: string): string {
  if (!MARKDOWN_SIGNS.test(markdown)) return markdown.replace(/\s+/g, ' ').trim();
  return nodeText(parseMarkdown(markdown)).replace(/\s+/g, ' ').trim();
}

export function nodeText(node: MarkdownNode): string {
  if (node.type === 'break') return ' ';
  if (node.type === 'image') return node.alt ?? '';
  if (node.children === undefined) return node.value ?? '';
  return node.children.map(nodeText).join(BLOCKS.has(node.type) ? ' ' : '');
}

const BLOCKS = new Set(['root', 'blockquote', 'list', 'listItem', 'table', 'tableRow']);

export function leadingNotices(markdown: string): string[] {
  const [, ...others] = markdown.matchAll(/^#{1,6} /gm);
  const head = parseMarkdown(markdown.slice(0, others[0]?.index)).children ?? [];
  const title = head.findIndex(({ type }) => type === 'heading');
  const told = head[title + 1];
  if (told?.type !== 'blockquote') return [];
  return (told.children ?? []).map((notice) => nodeText(notice).replace(/\s+/g, ' ').trim());
}

/** Text under a second-level heading up to the next one; empty if there is none. A section may have the same heading. */
export function chapterOf(markdown: string, title: string, which: 'first' | 'last'): string {
  const heading = `\n## ${title}\n`;
  const at = which === 'first' ? markdown.indexOf(heading) : markdown.lastIndexOf(heading);
  if (at < 0) return '';
  const from = at + heading.length;
  const end = markdown.indexOf('\n## ', from - 1);
  return markdown.slice(from, end < 0 ? undefined : end).trim();
}

export function itemsOf(chapter: string): string[] {
  const lists = (parseMarkdown(chapter).children ?? []).filter(({ type }) => type === 'list');
  return lists
    .flatMap(({ children = [] }) => children)
    .map((item) => nodeText(item).replace(/\s+/g, ' ').trim());
}
