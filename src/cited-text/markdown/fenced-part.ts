const FENCE = /^(`{3,}|~{3,})/;
const CLOSING = /\n[ \t>]*(`{3,}|~{3,})[ \t]*$/;

interface Stretch {
  start: number;
  end: number;
}

/** What stands between the fences of a block of code, and whether it has the second; indented code has neither. */
export function fencedPart(
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
