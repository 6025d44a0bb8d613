import { decodeString } from 'micromark-util-decode-string';
import type { DocumentClaim } from '../document';
import type { MarkdownNode } from '../markdown/parse-markdown';

/** A stretch of what Markdown's text reads as, and the claim that it is part of. */
export interface ClaimPiece {
  text: string;
  claim: DocumentClaim | null;
}

interface Stretch {
  start: number;
  end: number;
}

/** The offsets of a node; null where it has none. */
export function stretchOf({ position }: MarkdownNode): Stretch | null {
  const [start, end] = [position?.start.offset, position?.end.offset];
  return start === undefined || end === undefined ? null : { start, end };
}

/** The claim that holds a stretch as a whole. */
export function claimHolding(
  claims: readonly DocumentClaim[],
  stretch: Stretch | null,
): DocumentClaim | null {
  if (stretch === null) return null;
  return claims.find(({ start, end }) => start <= stretch.start && stretch.end <= end) ?? null;
}

/**
 * A node of text cut where claims begin and end. Claims' offsets are those of the Markdown, in which an escaped sign or an entity
 * is longer than what it reads as.
 */
export function claimPieces(
  markdown: string,
  node: MarkdownNode,
  claims: readonly DocumentClaim[],
): ClaimPiece[] {
  const { value = '' } = node;
  const stretch = stretchOf(node);
  if (stretch === null) return [{ text: value, claim: null }];
  const inside = claims.filter(({ start, end }) => start < stretch.end && stretch.start < end);
  if (inside.length === 0) return [{ text: value, claim: null }];
  const raw = markdown.slice(stretch.start, stretch.end);
  const readOf = (offset: number): number =>
    offset >= stretch.end ? value.length : read(raw.slice(0, offset - stretch.start)).length;
  const bounds = inside
    .flatMap(({ start, end }) => [start, end])
    .filter((at) => stretch.start < at && at < stretch.end);
  const cuts = [...new Set([stretch.start, ...bounds, stretch.end])].sort((one, other) => one - other);
  return cuts.slice(1).map((end, at) => {
    const start = cuts[at] ?? stretch.start;
    const claim = claimHolding(inside, { start, end });
    return { text: value.slice(readOf(start), readOf(end)), claim };
  });
}

/** What stands before the text of a line within quotations and lists, and the white space at its end, is no part of the text. */
const LINE_BREAK = /[ \t]*\r?\n[ \t>]*/g;

function read(raw: string): string {
  return decodeString(raw.replace(LINE_BREAK, '\n'));
}
