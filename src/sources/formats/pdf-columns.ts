import { append, maxOf, minOf } from '../../lib/iterables';

// Columns of text on a page, by the white space between them.

/** Coordinates start at the bottom left. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
  fontSize: number;
  /** Number of characters of the longest line. */
  chars: number;
  /** Place in the order of drawing. */
  order: number;
  isRightToLeft: boolean;
}

export interface ColumnSplit<Item> {
  /** In reading order: full width, left column, right column, full width, … */
  parts: Item[][];
  /** True if the page is drawn column by column, so that its own order is kept. */
  isDrawnInOrder: boolean;
}

interface Band<Item> {
  isColumns: boolean;
  left: Item[];
  right: Item[];
  all: Item[];
}

/** Pages with more boxes, such as maps, keep the order in which they are drawn. */
const MAX_BOXES = 3_000;
const BINS = 300;
const MAX_GUTTERS = 8;
/** In font sizes. */
const MIN_GUTTER = 0.8;
/** Boxes in both columns together, and in each. */
const MIN_BOXES = 6;
const MIN_COLUMN = 2;
/** Characters of a middling line of prose in a narrow column; labels and cells are shorter. */
const PROSE_CHARS = 14;

/** Null if the boxes are one column. Splits at one gutter; the parts may have further ones. */
export function splitColumns<Item extends Box>(boxes: readonly Item[]): ColumnSplit<Item> | null {
  if (boxes.length < MIN_BOXES || boxes.length > MAX_BOXES) return null;
  const sorted = [...boxes].sort((one, other) => other.top - one.top);
  let best: Band<Item>[] | null = null;
  let most = 0;
  for (const gutter of gutters(boxes)) {
    const bands = bandsAt(gutter, sorted);
    const columns = bands.filter(({ isColumns }) => isColumns);
    if (!columns.some(({ left, right }) => isEnough(left, right))) continue;
    const score = columns.reduce((sum, { left, right }) => sum + left.length + right.length, 0);
    if (score > most) [best, most] = [bands, score];
  }
  if (best === null) return null;
  return {
    parts: best
      .flatMap(({ isColumns, left, right, all }) => (isColumns ? [left, right] : [all]))
      .filter((part) => part.length > 0),
    isDrawnInOrder: areInOrder(best.filter(({ isColumns }) => isColumns)),
  };
}

function isEnough(left: readonly Box[], right: readonly Box[]): boolean {
  return left.length >= MIN_COLUMN && right.length >= MIN_COLUMN && left.length + right.length >= MIN_BOXES;
}

/** Places that fewer boxes cover than both sides of them. */
function gutters(boxes: readonly Box[]): number[] {
  const from = minOf(boxes.map(({ left }) => left));
  const step = (maxOf(boxes.map(({ right }) => right)) - from) / BINS;
  if (!(step > 0)) return [];
  const covered = new Array<number>(BINS).fill(0);
  for (const { left, right } of boxes) {
    const last = Math.min(BINS - 1, Math.floor((right - from) / step));
    for (let bin = Math.floor((left - from) / step); bin <= last; bin += 1)
      covered[bin] = (covered[bin] ?? 0) + 1;
  }
  const highest = (counts: readonly number[]): number[] => {
    let top = 0;
    return counts.map((count) => (top = Math.max(top, count)));
  };
  const before = highest(covered);
  const behind = highest([...covered].reverse()).reverse();
  const found: { place: number; depth: number }[] = [];
  for (let bin = 1; bin < BINS - 1; bin += 1) {
    const count = covered[bin] ?? 0;
    let end = bin;
    while (covered[end + 1] === count) end += 1;
    const isValley = (covered[bin - 1] ?? 0) > count && (covered[end + 1] ?? 0) > count;
    const depth = Math.min(before[bin] ?? 0, behind[end] ?? 0) - count;
    if (isValley && depth >= MIN_COLUMN) found.push({ place: from + ((bin + end + 1) / 2) * step, depth });
    bin = end;
  }
  return found
    .sort((one, other) => other.depth - one.depth)
    .slice(0, MAX_GUTTERS)
    .map(({ place }) => place);
}

/** Boxes across the gutter separate bands of columns from top to bottom. */
function bandsAt<Item extends Box>(gutter: number, sorted: readonly Item[]): Band<Item>[] {
  const bands: Band<Item>[] = [];
  let open: Band<Item> = { isColumns: true, left: [], right: [], all: [] };
  const close = (): void => {
    open.isColumns = isColumnBand(open);
    const last = bands.at(-1);
    if (!open.isColumns && last?.isColumns === false) append(last.all, open.all);
    else if (open.all.length > 0) bands.push(open);
    open = { isColumns: true, left: [], right: [], all: [] };
  };
  for (const box of sorted) {
    const isAcross = box.left < gutter && box.right > gutter;
    if (isAcross) close();
    open.all.push(box);
    if (isAcross) close();
    else if (box.right <= gutter) open.left.push(box);
    else open.right.push(box);
  }
  close();
  return bands;
}

function isColumnBand({ left, right }: Band<Box>): boolean {
  if (left.length === 0 || right.length === 0) return false;
  const gap = minOf(right.map((box) => box.left)) - maxOf(left.map((box) => box.right));
  const size = median([...left, ...right].map(({ fontSize }) => fontSize));
  if (gap < MIN_GUTTER * size) return false;
  const areBeside =
    maxOf(left.map(({ top }) => top)) > minOf(right.map(({ bottom }) => bottom)) &&
    maxOf(right.map(({ top }) => top)) > minOf(left.map(({ bottom }) => bottom));
  if (!areBeside) return false;
  return isEnough(left, right)
    ? areInOrder([{ left, right }]) || (isProse(left, PROSE_CHARS) && isProse(right, PROSE_CHARS))
    : isProse(left, 2 * PROSE_CHARS) && isProse(right, 2 * PROSE_CHARS);
}

/** True if each column is drawn in one go, but for single boxes such as page numbers. */
function areInOrder(bands: readonly { left: readonly Box[]; right: readonly Box[] }[]): boolean {
  let allowed = 0;
  let switches = 0;
  for (const { left, right } of bands) {
    const drawn = [
      ...left.map(({ order }) => ({ order, isLeft: true })),
      ...right.map(({ order }) => ({ order, isLeft: false })),
    ].sort((one, other) => one.order - other.order);
    switches += drawn.filter(({ isLeft }, at) => at > 0 && drawn[at - 1]?.isLeft !== isLeft).length;
    allowed += 1 + Math.min(left.length, right.length) / 2;
  }
  return switches <= allowed;
}

/** Most lines of prose are about as wide as their column. */
function isProse(boxes: readonly Box[], least: number): boolean {
  const width = maxOf(boxes.map(({ left, right }) => right - left));
  const full = boxes.filter(({ left, right }) => right - left > 0.6 * width).length;
  return 2 * full >= boxes.length && median(boxes.map(({ chars }) => chars)) >= least;
}

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? 0;
}
