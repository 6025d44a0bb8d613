import { maxOf, minOf } from '../../lib/iterables';
import { type Box, splitColumns } from './pdf-columns';
import { type Fragment, type PageItem, readFragments } from './pdf-fragments';
import { findTables } from './pdf-tables';
import { tableText } from './tables';

// Text of a PDF page from the places of its pieces: columns, tables, lines, paragraphs.

/** Line distance of a new paragraph in font sizes; within a paragraph it is 1.0 to 1.5. */
const PARAGRAPH_GAP = 1.7;
const HEADING_SIZE = 1.15;
const SAME_LINE = 0.5;
const MAX_DEPTH = 5;
/** Lines at the edge of a page that are this far from all others, in font sizes, may be a running head. */
const EDGE_GAP = 0.6;
const MAX_EDGE = 4;

/** A line, a cell, or a whole table. */
interface Block extends Box {
  text: string;
  /** Base line. */
  y: number;
  isTable: boolean;
}

export function pageText(items: readonly PageItem[]): string {
  const blocks = blocksOf(readFragments(items), 0, new Set());
  return joinBlocks(edgesInPlace(joinLines(blocks)));
}

/** Tables first, because the columns of a table are no columns of text. */
function blocksOf(fragments: readonly (Fragment | Block)[], depth: number, refused: Set<Fragment>): Block[] {
  const given = fragments.filter((one) => 'isTable' in one);
  const { tables, rest } = findTables(
    fragments.filter((one) => !('isTable' in one)),
    refused,
  );
  const found = tables.map(({ rows, cells }): Block => {
    const bottom = minOf(cells.map((cell) => cell.bottom));
    return {
      text: tableText(rows),
      isTable: true,
      left: minOf(cells.map(({ left }) => left)),
      right: maxOf(cells.map(({ right }) => right)),
      top: maxOf(cells.map(({ top }) => top)),
      bottom,
      y: bottom,
      fontSize: cells[0]?.fontSize ?? 1,
      chars: 0,
      order: minOf(cells.map(({ order }) => order)),
      isRightToLeft: false,
    };
  });
  const all: (Fragment | Block)[] = [...given, ...found, ...rest];
  const split = depth < MAX_DEPTH ? splitColumns(all) : null;
  const blocks =
    split === null
      ? all.map((one): Block => ('isTable' in one ? one : { ...one, isTable: false }))
      : split.parts.flatMap((part) => blocksOf(part, depth + 1, refused));
  return split === null || split.isDrawnInOrder
    ? blocks.sort((one, other) => one.order - other.order)
    : blocks;
}

/** Joins what follows each other on one base line. */
function joinLines(blocks: readonly Block[]): Block[] {
  const lines: Block[][] = [];
  for (const block of blocks) {
    const last = lines.at(-1)?.at(-1);
    const isSame =
      last !== undefined &&
      !last.isTable &&
      !block.isTable &&
      Math.abs(last.y - block.y) < SAME_LINE * Math.max(last.fontSize, block.fontSize);
    if (isSame) lines.at(-1)?.push(block);
    else lines.push([block]);
  }
  return lines.flatMap((line) => {
    if (!line.some(({ isRightToLeft }) => isRightToLeft)) line.sort((one, other) => one.left - other.left);
    const [first] = line;
    if (first === undefined) return [];
    return [
      {
        ...first,
        text: line.map(({ text }) => text).join(' '),
        right: maxOf(line.map(({ right }) => right)),
      },
    ];
  });
}

/** Puts a foot that is drawn first behind the page, and a head that is drawn last before it. */
function edgesInPlace(blocks: readonly Block[]): Block[] {
  const sorted = [...blocks].sort((one, other) => other.y - one.y);
  const isEdge = (edge: readonly Block[], isLast: boolean): boolean => {
    const orders = edge.map(({ order }) => order);
    const others = blocks.filter((block) => !edge.includes(block)).map(({ order }) => order);
    return isLast ? minOf(orders) > maxOf(others) : maxOf(orders) < minOf(others);
  };
  const apart = sorted.findIndex((_block, at) => at > 0 && areApart(sorted[at - 1], sorted[at]));
  const head = apart > 0 && apart <= MAX_EDGE ? sorted.slice(0, apart) : [];
  const end = sorted.findLastIndex((_block, at) => at > 0 && areApart(sorted[at - 1], sorted[at]));
  const foot = end > 0 && sorted.length - end <= MAX_EDGE ? sorted.slice(end) : [];
  const [first, last] = [isEdge(head, true) ? head : [], isEdge(foot, false) ? foot : []];
  return [...first, ...blocks.filter((block) => !first.includes(block) && !last.includes(block)), ...last];
}

function areApart(upper: Block | undefined, lower: Block | undefined): boolean {
  if (upper === undefined || lower === undefined || upper.isTable || lower.isTable) return false;
  return upper.bottom - lower.top > EDGE_GAP * Math.max(upper.fontSize, lower.fontSize);
}

function joinBlocks(blocks: readonly Block[]): string {
  let text = '';
  let before: Block | null = null;
  for (const block of blocks) {
    if (before !== null) text += isNewParagraph(before, block) ? '\n\n' : '\n';
    text += block.text;
    before = block;
  }
  return text;
}

function isNewParagraph(before: Block, block: Block): boolean {
  if (before.isTable || block.isTable) return true;
  const larger = Math.max(before.fontSize, block.fontSize);
  const smaller = Math.max(1, Math.min(before.fontSize, block.fontSize));
  if (larger / smaller > HEADING_SIZE) return true;
  // A higher line begins another column, where a sentence may go on.
  const gap = before.y - block.y;
  if (gap < -larger) return !(/[\p{L},-]$/u.test(before.text) && /^\p{Ll}/u.test(block.text));
  return gap < 0 || gap > PARAGRAPH_GAP * larger;
}
