import type { Block, Range } from '../markdown/blocks';
import { namesSource } from './entry-parts';
import { entryMark } from './entry-mark';
import type { WrittenEntry } from './written-entry';

type Found = Omit<WrittenEntry, 'list' | 'origin'>;

const NUMBER_CELL = /^\W*(\d{1,3})\W*$/;

/** The entries that a block of a list of sources holds; `from` is where the block begins to be of the list. */
export function entriesOfBlock(markdown: string, block: Block, from = block.start): Found[] {
  if (block.kind === 'row') return block.isHeader ? [] : entryOfRow(markdown, block);
  if (block.kind === 'code') return linesThatList(markdown, block.inside);
  if (block.kind !== 'paragraph') return [];
  const marked = markedLines(markdown, { start: from, end: block.end });
  if (marked.length > 0) return marked;
  if (block.item !== null) return [entryOfItem(block, block.item)];
  return unmarkedLines(markdown, { start: from, end: block.end });
}

/** A list that is shown as code: its lines are entries where all of them look so. */
function linesThatList(markdown: string, inside: Range): Found[] {
  const marked = markedLines(markdown, inside);
  if (marked.length > 0) return marked;
  const lines = unmarkedLines(markdown, inside);
  return lines.length === linesOf(markdown, inside).length ? lines : [];
}

function entryOfItem(block: Block, item: NonNullable<Block['item']>): Found {
  return {
    start: block.start,
    end: Math.max(block.end, item.end),
    label: item.ordinal,
    isBracketed: false,
    from: block.start,
  };
}

/** A line that begins with a mark begins an entry; other lines go on with it. */
export function markedLines(markdown: string, range: Range): Found[] {
  const found: Found[] = [];
  for (const line of linesOf(markdown, range)) {
    const text = markdown.slice(line.start, line.end);
    const mark = entryMark(text);
    const last = found.at(-1);
    if (mark !== null) {
      const { label, isBracketed } = mark;
      found.push({ ...line, label, isBracketed, from: Math.min(line.end, line.start + mark.length) });
    } else if (last === undefined) return [];
    else last.end = line.end;
  }
  return found;
}

/** Each line where every one of them names a source; else the paragraph is one entry, where it does. */
function unmarkedLines(markdown: string, range: Range): Found[] {
  const lines = linesOf(markdown, range);
  const isList = lines.every(({ start, end }) => namesSource(markdown.slice(start, end)));
  const written = isList
    ? lines
    : [{ start: lines[0]?.start ?? range.start, end: lines.at(-1)?.end ?? range.end }];
  return written
    .filter(({ start, end }) => namesSource(markdown.slice(start, end)))
    .map((line) => ({ ...line, label: null, isBracketed: false, from: line.start }));
}

function entryOfRow(markdown: string, row: Extract<Block, { kind: 'row' }>): Found[] {
  const first = row.cells[0];
  if (first === undefined || !namesSource(markdown.slice(row.start, row.end))) return [];
  const number = NUMBER_CELL.exec(markdown.slice(first.start, first.end))?.[1] ?? null;
  const from = number === null ? first.start : (row.cells[1]?.start ?? first.start);
  const { start, end } = row;
  return [{ start, end, label: number, isBracketed: false, from }];
}

/** Lines that hold something, without white space around it and the signs of a quotation before it. */
function linesOf(markdown: string, { start, end }: Range): Range[] {
  const lines: Range[] = [];
  for (let from = start; from < end;) {
    const stop = markdown.indexOf('\n', from);
    const to = stop < 0 || stop > end ? end : stop;
    const line = markdown.slice(from, to);
    const before = /^[\s>]*/.exec(line)?.[0].length ?? 0;
    const length = line.trimEnd().length;
    if (length > before) lines.push({ start: from + before, end: from + length });
    from = to + 1;
  }
  return lines;
}
