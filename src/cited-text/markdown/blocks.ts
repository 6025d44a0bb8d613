import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified, type Processor } from 'unified';
import { parsePieces } from './pieces';

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
