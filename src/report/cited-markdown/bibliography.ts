import { append } from '../../lib/iterables';
import {
  entryMark,
  hasAddress,
  isBibliographyHeading,
  namesSource,
  type WrittenEntry,
} from './bibliography-entry';
import type { Block, Range } from './markdown-tree';

const NUMBER_CELL = /^\W*(\d{1,3})\W*$/;

export interface Bibliography {
  entries: WrittenEntry[];
  ranges: Range[];
}

/** A line that serves as a heading: bold text, with or without a colon. */
const BOLD_LINE = /^[ \t]*(?:\*\*|__)(?:(?!\*\*|__).){1,80}(?:\*\*|__)[ \t]*[:：]?[ \t]*$/;
const MIN_ENTRIES = 2;

/** Source lists of a text: under their headings, as definitions and footnotes, and a list at the end without a heading. */
export function findBibliography(
  markdown: string,
  blocks: readonly Block[],
  isListed: (text: string) => boolean = () => false,
): Bibliography {
  const found: Bibliography = { entries: [], ranges: [] };
  let list = 0;
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at];
    if (block === undefined) continue;
    if (block.kind === 'definition' || block.kind === 'footnote') {
      addDefinition(found, markdown, block, isListed);
      continue;
    }
    const head = listHeading(markdown, block);
    if (head === null) continue;
    const stop = endOfRegion(markdown, blocks, at, head);
    const entries = regionEntries(markdown, blocks.slice(at, stop), head.end, (list += 1));
    if (entries.length === 0) continue;
    append(found.entries, entries);
    found.ranges.push({ start: block.start, end: blocks[stop - 1]?.end ?? block.end });
    at = stop - 1;
    for (const within of blocks.slice(0, stop)) {
      const isOfRegion = within.start >= block.start;
      if (isOfRegion && (within.kind === 'definition' || within.kind === 'footnote'))
        addDefinition(found, markdown, within, isListed);
    }
  }
  addUnheadedLists(found, markdown, blocks, { list: list + 1, isListed });
  found.entries.sort((a, b) => a.start - b.start);
  return found;
}

/** End and depth of the line that introduces a source list; `depth` is null if it is no Markdown heading. */
function listHeading(markdown: string, block: Block): { end: number; depth: number | null } | null {
  if (block.kind === 'heading') {
    const text = markdown.slice(block.start, block.end).replace(/^[#\s]+|[#\s]+$/g, '');
    return isBibliographyHeading(text.split('\n')[0] ?? '') ? { end: block.end, depth: block.depth } : null;
  }
  if (block.kind === 'html') {
    const text = markdown.slice(block.start, Math.min(block.end, block.start + 400)).replace(/<[^<>]*>/g, '');
    return isBibliographyHeading(text) ? { end: block.end, depth: null } : null;
  }
  if (block.kind !== 'paragraph') return null;
  const stop = markdown.indexOf('\n', block.start);
  const end = stop < 0 || stop > block.end ? block.end : stop;
  const line = markdown.slice(block.start, Math.min(end, block.start + 200));
  if (block.item !== null && end === block.end) return null;
  return isBibliographyHeading(line) ? { end, depth: null } : null;
}

/** Up to the next heading of the same or a higher rank. Below a line that serves as a heading, up to the next one of either kind. */
function endOfRegion(
  markdown: string,
  blocks: readonly Block[],
  at: number,
  { depth }: { depth: number | null },
): number {
  for (let next = at + 1; next < blocks.length; next += 1) {
    const block = blocks[next];
    if (block === undefined) continue;
    if (block.kind === 'heading' && block.depth <= (depth ?? 6)) return next;
    if (listHeading(markdown, block) !== null) return next;
    if (depth === null && isBoldLine(markdown, block)) return next;
  }
  return blocks.length;
}

export function isBoldLine(markdown: string, block: Block): boolean {
  if (block.kind !== 'paragraph' || block.item !== null || block.end - block.start > 120) return false;
  return BOLD_LINE.test(markdown.slice(block.start, block.end));
}

function regionEntries(
  markdown: string,
  region: readonly Block[],
  from: number,
  list: number,
): WrittenEntry[] {
  const entries: WrittenEntry[] = [];
  for (const block of region) {
    if (block.kind === 'heading' || block.end <= from) continue;
    for (const entry of entriesOfBlock(markdown, block, Math.max(block.start, from))) {
      const last = entries.at(-1);
      // Text within the previous item belongs to it, unless that item only groups others.
      if (last !== undefined && entry.start < last.end) {
        if (isGroupLabel(markdown, last, entry)) entries.pop();
        else continue;
      }
      entries.push({ ...entry, origin: 'list', list });
    }
  }
  return entries;
}

function isGroupLabel(markdown: string, outer: WrittenEntry, inner: Range): boolean {
  const own = markdown.slice(outer.start, inner.start);
  return outer.label === null && !hasAddress(own) && !/\d{4}/.test(own);
}

function addDefinition(
  found: Bibliography,
  markdown: string,
  block: Extract<Block, { kind: 'definition' | 'footnote' }>,
  isListed: (text: string) => boolean,
): void {
  const { start, end, label } = block;
  found.ranges.push({ start, end });
  if (block.kind === 'footnote' || (!hasAddress(block.url) && isListed(block.url))) {
    const origin = block.kind === 'footnote' ? 'footnote' : 'list';
    const colon = markdown.indexOf(']:', start);
    const from = colon < 0 ? start : colon + 2;
    found.entries.push({
      start,
      end,
      label,
      isBracketed: true,
      from,
      origin,
      list: origin === 'list' ? 0 : -1,
    });
  } else if (hasAddress(block.url)) {
    const { url, title } = block;
    found.entries.push({
      start,
      end,
      label,
      isBracketed: true,
      from: start,
      origin: 'list',
      list: 0,
      url,
      title,
    });
  }
}

/**
 * Lines with `[1]` that name sources are a list anywhere. At the end of a text that cites them, lines with `[1]` are one whatever
 * they say, and lines with `1.` if they name sources.
 */
function addUnheadedLists(
  found: Bibliography,
  markdown: string,
  blocks: readonly Block[],
  { list, isListed }: { list: number; isListed: (text: string) => boolean },
): void {
  const isFree = ({ start }: Range): boolean =>
    !found.ranges.some((range) => start >= range.start && start < range.end);
  const free = blocks.filter(
    (block) => !['definition', 'footnote', 'code'].includes(block.kind) && isFree(block),
  );
  let next = list;
  for (let at = 0; at < free.length;) {
    let stop = at;
    const entries: ReturnType<typeof markedEntries> = [];
    for (; stop < free.length; stop += 1) {
      const own = markedEntries(markdown, free[stop]);
      if (own.length === 0) break;
      append(entries, own);
    }
    const isLast = stop === free.length;
    const naming = entries.filter(({ from, end }) => {
      const text = markdown.slice(from, end);
      return hasAddress(text) || isListed(text) || (isLast && namesSource(text));
    });
    const isList = entries.length >= MIN_ENTRIES && naming.length * 2 >= entries.length;
    const isMarked = entries.every(({ isBracketed }) => isBracketed);
    const isCited = (): boolean =>
      isLast &&
      areCited(
        markdown.slice(0, entries[0]?.start ?? 0),
        entries.flatMap(({ label }) => label ?? []),
      );
    if (entries.length > 0 && (isMarked ? isList || isCited() : isList && isCited())) {
      append(
        found.entries,
        entries.map((entry) => ({ ...entry, origin: 'list' as const, list: next })),
      );
      found.ranges.push({ start: entries[0]?.start ?? 0, end: entries.at(-1)?.end ?? 0 });
      next += 1;
    }
    at = Math.max(stop, at + 1);
  }
}

const CITING = /[[【［]\^?(\d{1,3})\^?[\]】］,†]|([⁰¹²³⁴-⁹]{1,3})|<sup>\[?(\d{1,3})\b/g;

/** True if the text before a list cites at least half of its labels. */
export function areCited(before: string, labels: readonly string[]): boolean {
  const cited = new Set(
    [...before.matchAll(CITING)].map(([, number, raised, tagged]) =>
      (number ?? raised ?? tagged ?? '').normalize('NFKC'),
    ),
  );
  return labels.length > 0 && labels.filter((label) => cited.has(label)).length * 2 >= labels.length;
}

function markedEntries(markdown: string, block: Block | undefined): ReturnType<typeof markedLines> {
  if (block?.kind !== 'paragraph') return [];
  const marked = markedLines(markdown, block);
  return marked.length > 0 || (block.item?.ordinal ?? null) === null
    ? marked
    : entriesOfBlock(markdown, block);
}

type EntryRange = Omit<WrittenEntry, 'list' | 'origin'>;

/** `from` is where the block's part of the list begins. */
function entriesOfBlock(markdown: string, block: Block, from = block.start): EntryRange[] {
  if (block.kind === 'row') return block.isHeader ? [] : entryOfRow(markdown, block);
  if (block.kind === 'code') return codeEntries(markdown, block.inside);
  if (block.kind !== 'paragraph') return [];
  const marked = markedLines(markdown, { start: from, end: block.end });
  if (marked.length > 0) return marked;
  if (block.item !== null) return [entryOfItem(block, block.item)];
  return unmarkedLines(markdown, { start: from, end: block.end });
}

/** A list in a code block: its lines are entries if all of them look like entries. */
function codeEntries(markdown: string, inside: Range): EntryRange[] {
  const marked = markedLines(markdown, inside);
  if (marked.length > 0) return marked;
  const lines = unmarkedLines(markdown, inside);
  return lines.length === linesOf(markdown, inside).length ? lines : [];
}

function entryOfItem(block: Block, item: NonNullable<Block['item']>): EntryRange {
  return {
    start: block.start,
    end: Math.max(block.end, item.end),
    label: item.ordinal,
    isBracketed: false,
    from: block.start,
  };
}

function markedLines(markdown: string, range: Range): EntryRange[] {
  const found: EntryRange[] = [];
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

/** One entry for each line if all lines name a source; else one for the paragraph, if it does. */
function unmarkedLines(markdown: string, range: Range): EntryRange[] {
  const lines = linesOf(markdown, range);
  const isList = lines.every(({ start, end }) => namesSource(markdown.slice(start, end)));
  const written = isList
    ? lines
    : [{ start: lines[0]?.start ?? range.start, end: lines.at(-1)?.end ?? range.end }];
  return written
    .filter(({ start, end }) => namesSource(markdown.slice(start, end)))
    .map((line) => ({ ...line, label: null, isBracketed: false, from: line.start }));
}

function entryOfRow(markdown: string, row: Extract<Block, { kind: 'row' }>): EntryRange[] {
  const first = row.cells[0];
  if (first === undefined || !namesSource(markdown.slice(row.start, row.end))) return [];
  const number = NUMBER_CELL.exec(markdown.slice(first.start, first.end))?.[1] ?? null;
  const from = number === null ? first.start : (row.cells[1]?.start ?? first.start);
  const { start, end } = row;
  return [{ start, end, label: number, isBracketed: false, from }];
}

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
