/** Document 004: what a context that was compressed too much lacks. */
export const OVER_COMPRESSED = 'Evidence was over-compressed; critical context may have been lost.';

/** The share of a context that is left, 0–1; 1 where there was none. */
export function compressionRatio({
  originalChars,
  compressedChars,
}: {
  originalChars: number;
  compressedChars: number;
}): number {
  return originalChars === 0 ? 1 : Math.min(1, compressedChars / originalChars);
}
