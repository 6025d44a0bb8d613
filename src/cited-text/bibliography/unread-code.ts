import { blocksOf, type Block, type Range } from '../markdown/blocks';
import { findBibliography, type Bibliography } from './find-bibliography';

/** A block of code that a reader of the report would miss. */
export type UnreadCode = Range & { kind: 'code' | 'open-code' };

/** Code that is never closed, as what was meant to follow it is lost, and code that holds a list of sources of its own. */
export function unreadCode(
  markdown: string,
  blocks: readonly Block[],
  { entries }: Bibliography,
): UnreadCode[] {
  return blocks.flatMap((block): UnreadCode[] => {
    if (block.kind !== 'code') return [];
    const { start, end, inside, isClosed } = block;
    const text = markdown.slice(inside.start, inside.end);
    if (!isClosed) return text.trim() === '' ? [] : [{ start, end, kind: 'open-code' }];
    const isRead = entries.some((entry) => entry.start >= start && entry.start < end);
    return isRead || findBibliography(text, blocksOf(text)).entries.length === 0
      ? []
      : [{ start, end, kind: 'code' }];
  });
}
