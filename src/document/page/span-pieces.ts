import { decodeString } from 'micromark-util-decode-string';
import type { MarkdownNode } from '../markdown/parse-markdown';

/** What is shown apart in a text, such as a claim or a quote, by its offsets in the Markdown. */
export interface Span {
  start: number;
  end: number;
}

export interface SpanPiece<S extends Span> {
  text: string;
  span: S | null;
}

export function stretchOf({ position }: MarkdownNode): Span | null {
  const [start, end] = [position?.start.offset, position?.end.offset];
  return start === undefined || end === undefined ? null : { start, end };
}

export function spanHolding<S extends Span>(spans: readonly S[], stretch: Span | null): S | null {
  if (stretch === null) return null;
  return spans.find(({ start, end }) => start <= stretch.start && stretch.end <= end) ?? null;
}

/**
 * A node of text cut where spans begin and end. Their offsets are those of the Markdown, in which an escaped sign or an entity is
 * longer than what it reads as.
 */
export function textPieces<S extends Span>(
  markdown: string,
  node: MarkdownNode,
  spans: readonly S[],
): SpanPiece<S>[] {
  const { value = '' } = node;
  const stretch = stretchOf(node);
  if (stretch === null || spansOver(spans, stretch).length === 0) return [{ text: value, span: null }];
  const raw = markdown.slice(stretch.start, stretch.end);
  const readOf = (offset: number): number =>
    offset >= stretch.end ? value.length : read(raw.slice(0, offset - stretch.start)).length;
  return cutBySpans(stretch, spans).map(({ start, end, span }) => ({
    text: value.slice(readOf(start), readOf(end)),
    span,
  }));
}

/** The same of Markdown that is shown as it is written. */
export function writtenPieces<S extends Span>(
  markdown: string,
  stretch: Span,
  spans: readonly S[],
): SpanPiece<S>[] {
  return cutBySpans(stretch, spans).map(({ start, end, span }) => ({
    text: markdown.slice(start, end),
    span,
  }));
}

export function spansOver<S extends Span>(spans: readonly S[], stretch: Span): S[] {
  return spans.filter(({ start, end }) => start < stretch.end && stretch.start < end);
}

function cutBySpans<S extends Span>(
  stretch: Span,
  spans: readonly S[],
): { start: number; end: number; span: S | null }[] {
  const bounds = spansOver(spans, stretch)
    .flatMap(({ start, end }) => [start, end])
    .filter((at) => stretch.start < at && at < stretch.end);
  const cuts = [...new Set([stretch.start, ...bounds, stretch.end])].sort((one, other) => one - other);
  return cuts.slice(1).map((end, at) => {
    const start = cuts[at] ?? stretch.start;
    return { start, end, span: spanHolding(spans, { start, end }) };
  });
}

/** What stands before the text of a line within quotations and lists, and the white space at its end, is no part of the text. */
const LINE_BREAK = /[ \t]*\r?\n[ \t>]*/g;

function read(raw: string): string {
  return decodeString(raw.replace(LINE_BREAK, '\n'));
}
