import { append } from '../../lib/iterables';
import { areCited, type Bibliography, findBibliography, isBoldLine } from './bibliography';
import {
  entryMark,
  entryParts,
  hasAddress,
  isBibliographyHeading,
  type WrittenEntry,
} from './bibliography-entry';
import { findMarks, type FoundMark } from './block-citations';
import {
  type BibliographyEntry,
  type Citation,
  type CitedReport,
  type CitedStatement,
  MAX_CITATIONS,
  type Place,
  sentencesOf,
  type UnreadPart,
} from './cited-statements';
import { type InlineText, parseInlineText } from './inline-text';
import { type Block, parseBlocks, type Range } from './markdown-tree';
import { createResolver, type ListedEntry, NO_NAMES, type Resolver, type SourceNames } from './match-sources';

const MIN_ENTRIES = 2;

interface ReadBlock {
  block: Block;
  inline: InlineText;
  marks: FoundMark[];
}

/**
 * Statements, citations and source list of a report in Markdown. Accepts any text and never throws. `names` recognises the given
 * sources by their file names and titles.
 */
export function readCitedReport(markdown: string, names: SourceNames = NO_NAMES): CitedReport {
  const lineAt = lineCounter(markdown);
  const blocks = splitLists(markdown, parseBlocks(markdown), names);
  const definitions = definitionsOf(blocks);
  const linksTo = (label: string): string | null => definitions.get(labelKey(label)) ?? null;
  const bibliography = findBibliography(markdown, blocks, names.isListed);
  const listed = bibliography.entries.map((entry) => listedEntry(markdown, entry, lineAt, linksTo));
  const resolve = createResolver(listed);
  const isNumbered = listed.some(({ entry: { label } }) => /^\d+$/.test(label ?? ''));
  const known = { label: resolve.hasLabel, name: names.isCited, footnote: resolve.hasFootnote, isNumbered };
  const code = unreadCode(markdown, blocks, bibliography);
  const body = blocksOfBody(blocks, bibliography).map((block): ReadBlock => {
    const inline = textOf(markdown, block, linksTo);
    return { block, inline, marks: findMarks(inline, known) };
  });
  return buildReport(markdown, body, listed, resolve, lineAt, code);
}

function buildReport(
  markdown: string,
  body: readonly ReadBlock[],
  listed: readonly ListedEntry[],
  resolve: Resolver,
  lineAt: (offset: number) => number,
  code: readonly UnreadCode[],
): CitedReport {
  const entries = listed.map(({ entry }) => entry);
  const citations: Citation[] = [];
  const statements: CitedStatement[] = [];
  const ofLinks = new Map<string, number>();
  let heading: string | null = null;

  const place = ({ start, end }: Range): Place => ({ start, end, line: lineAt(start) });
  const unread = code.map(({ kind, ...range }): UnreadPart => ({ ...place(range), kind }));
  const entryOf = (mark: FoundMark, label: string, written: Range): number | null => {
    if (mark.form === 'name') return entryOfName(entries, label, place(written));
    if (mark.url === undefined)
      return mark.form === 'footnote' ? resolve.byFootnote(label) : byNumber(resolve, label, written.start);
    const own = resolve.byAddress(mark.url) ?? ofLinks.get(mark.url) ?? null;
    if (own !== null) return own;
    entries.push(entryOfLink(markdown, mark, mark.url, place(written)));
    ofLinks.set(mark.url, entries.length - 1);
    return entries.length - 1;
  };
  let found = 0;
  const addCitations = (inline: InlineText, mark: FoundMark): number[] => {
    found += mark.labels.length;
    if (found > MAX_CITATIONS) return [];
    const range = writtenRange(inline, mark);
    const written = markdown.slice(range.start, range.end);
    return mark.labels.map((label) => {
      citations.push({
        ...place(range),
        written,
        form: mark.form,
        label,
        entry: entryOf(mark, label, range),
      });
      return citations.length - 1;
    });
  };

  for (const { block, inline, marks } of body) {
    const added = marks.map((mark) => addCitations(inline, mark));
    if (isHeading(markdown, block)) {
      heading = inline.text.replace(/\s+/g, ' ').trim() || heading;
      continue;
    }
    if (block.kind === 'html' && added.length > 0) unread.push({ ...place(block), kind: 'html' });
    if (block.kind === 'html' || (block.kind === 'row' && block.isHeader)) continue;
    const { sentences, loose } = sentencesOf(inline, marks, block.kind === 'row');
    const last = statements.at(-1);
    if (last !== undefined)
      addToStatement(
        last,
        citations,
        loose.flatMap((at) => added[at] ?? []),
      );
    for (const { start, end, plain, marks: own } of sentences) {
      const statement: CitedStatement = { ...place({ start, end }), plain, citations: [], heading };
      addToStatement(
        statement,
        citations,
        own.flatMap((at) => added[at] ?? []),
      );
      statements.push(statement);
    }
  }
  unread.sort((a, b) => a.start - b.start);
  return { statements, citations, entries, unread, ...(found > MAX_CITATIONS ? { hasMore: true } : {}) };
}

function addToStatement(
  statement: CitedStatement,
  citations: readonly Citation[],
  places: readonly number[],
): void {
  const labels = new Set(statement.citations.map((at) => citations[at]?.label));
  for (const at of places) {
    const label = citations[at]?.label;
    if (labels.has(label)) continue;
    labels.add(label);
    statement.citations.push(at);
  }
}

function byNumber(resolve: Resolver, label: string, at: number): number | null {
  return resolve.hasLabel(label) ? resolve.byLabel(label, at) : resolve.byFootnote(label);
}

function isHeading(markdown: string, block: Block): boolean {
  if (block.kind === 'heading') return true;
  return isBoldLine(markdown, block) && !/[.。!?！？][*_]*\s*$/.test(markdown.slice(block.start, block.end));
}

function blocksOfBody(blocks: readonly Block[], { ranges }: Bibliography): Block[] {
  const sorted = [...ranges].sort((a, b) => a.start - b.start);
  let next = 0;
  let covered = 0;
  return blocks.filter(({ kind, start }) => {
    while ((sorted[next]?.start ?? Infinity) <= start) {
      covered = Math.max(covered, sorted[next]?.end ?? 0);
      next += 1;
    }
    return start >= covered && !['definition', 'footnote', 'code'].includes(kind);
  });
}

function textOf(markdown: string, block: Block, linksTo: (label: string) => string | null): InlineText {
  if (block.kind === 'row')
    return joinedCells(block.cells.map((cell) => parseInlineText(markdown, cell, linksTo)));
  if (block.kind !== 'heading') return parseInlineText(markdown, block, linksTo);
  const before = /^#{0,6}[ \t]*/.exec(markdown.slice(block.start, block.end))?.[0].length ?? 0;
  return parseInlineText(markdown, { start: block.start + before, end: block.end }, linksTo);
}

function writtenRange({ starts, ends, spans }: InlineText, { from, to }: FoundMark): Range {
  const span = spans.find(
    (one) => one.kind !== 'raised' && one.from >= from && one.to <= to && one.to > one.from,
  );
  const start = starts[from] ?? 0;
  const end = ends[to - 1] ?? start;
  return { start: Math.min(start, span?.start ?? start), end: Math.max(end, span?.end ?? end) };
}

function definitionsOf(blocks: readonly Block[]): Map<string, string> {
  const definitions = new Map<string, string>();
  for (const block of blocks) {
    if (block.kind !== 'definition') continue;
    const key = labelKey(block.label);
    if (!definitions.has(key)) definitions.set(key, block.url);
  }
  return definitions;
}

function labelKey(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase();
}

function listedEntry(
  markdown: string,
  written: WrittenEntry,
  lineAt: (offset: number) => number,
  linksTo: (label: string) => string | null,
): ListedEntry {
  const { start, end, label, origin, isBracketed, list } = written;
  const parts = entryParts(parseInlineText(markdown, { start: written.from, end }, linksTo));
  const place = { start, end, line: lineAt(start) };
  const entry: BibliographyEntry =
    written.url === undefined
      ? { ...place, label, origin, ...parts }
      : {
          ...place,
          label,
          origin,
          text: markdown.slice(start, end),
          url: written.url,
          title: written.title ?? null,
          author: null,
          year: null,
        };
  return { entry, isBracketed, list };
}

function entryOfLink(markdown: string, mark: FoundMark, url: string, place: Place): BibliographyEntry {
  const text = markdown.slice(place.start, place.end);
  return {
    ...place,
    label: null,
    text,
    url,
    title: mark.words ?? null,
    author: null,
    year: null,
    origin: 'link',
  };
}

/** The listed entry that has the name, else a new one. */
function entryOfName(entries: BibliographyEntry[], name: string, place: Place): number {
  const own = name.toLowerCase();
  const found = entries.findIndex(({ text }) => text.toLowerCase().includes(own));
  if (found >= 0) return found;
  const unknown = { label: null, url: null, author: null, year: null };
  return entries.push({ ...place, ...unknown, text: name, title: name, origin: 'link' }) - 1;
}

/** Splits a source list that directly follows a paragraph, which Markdown takes for a part of it, into its own block. */
function splitLists(markdown: string, blocks: readonly Block[], { isListed }: SourceNames): Block[] {
  const last = blocks.at(-1);
  return blocks.flatMap((block): Block[] => {
    if (block.kind !== 'paragraph') return [block];
    const at = listStart(markdown, block, isListed, block === last);
    if (at === null) return [block];
    return [
      { ...block, end: at },
      { ...block, start: at, item: null },
    ];
  });
}

/** Start of a later line that introduces a source list, or of the first of several lines with `[1]`; null if there is none. */
function listStart(
  markdown: string,
  { start, end }: Block,
  isListed: SourceNames['isListed'],
  isLast: boolean,
): number | null {
  let from: number | null = null;
  let marked = 0;
  let addressed = 0;
  const labels: string[] = [];
  for (let at = markdown.indexOf('\n', start) + 1; at > 0 && at < end;) {
    const stop = markdown.indexOf('\n', at);
    const line = markdown.slice(at, stop < 0 || stop > end ? end : stop);
    if (isBibliographyHeading(line) && stop > 0 && stop < end) return at;
    const mark = entryMark(line);
    if (mark?.isBracketed === true) {
      from ??= at;
      marked += 1;
      labels.push(mark.label);
      if (hasAddress(line) || isListed(line.slice(mark.length))) addressed += 1;
    } else if (from !== null && line.trim() !== '' && !hasAddress(line)) {
      from = null;
      marked = 0;
      addressed = 0;
      labels.length = 0;
    }
    if (stop < 0) break;
    at = stop + 1;
  }
  if (marked >= MIN_ENTRIES && addressed * 2 >= marked) return from;
  return isLast && from !== null && areCited(markdown.slice(0, from), labels) ? from : null;
}

type UnreadCode = Range & { kind: 'code' | 'open-code' };

/** Unclosed code, which swallows the text behind it, and code with a source list of its own. */
function unreadCode(markdown: string, blocks: readonly Block[], { entries }: Bibliography): UnreadCode[] {
  return blocks.flatMap((block): UnreadCode[] => {
    if (block.kind !== 'code') return [];
    const { start, end, inside, isClosed } = block;
    const text = markdown.slice(inside.start, inside.end);
    if (!isClosed) return text.trim() === '' ? [] : [{ start, end, kind: 'open-code' }];
    const isRead = entries.some((entry) => entry.start >= start && entry.start < end);
    return isRead || findBibliography(text, parseBlocks(text)).entries.length === 0
      ? []
      : [{ start, end, kind: 'code' }];
  });
}

function joinedCells(cells: readonly InlineText[]): InlineText {
  const joined: InlineText = { text: '', scanned: '', starts: [], ends: [], spans: [] };
  for (const [at, cell] of cells.entries()) {
    if (at > 0) {
      const end = joined.ends.at(-1) ?? cell.starts[0] ?? 0;
      for (const character of ' | ') {
        joined.text += character;
        joined.scanned += character;
        joined.starts.push(end);
        joined.ends.push(end);
      }
    }
    const shift = joined.text.length;
    joined.text += cell.text;
    joined.scanned += cell.scanned;
    for (const [place, start] of cell.starts.entries()) {
      joined.starts.push(start);
      joined.ends.push(cell.ends[place] ?? start);
    }
    append(
      joined.spans,
      cell.spans.map((span) => ({ ...span, from: span.from + shift, to: span.to + shift })),
    );
  }
  return joined;
}

function lineCounter(text: string): (offset: number) => number {
  const breaks: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks.push(at);
  return (offset) => {
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? Infinity) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
