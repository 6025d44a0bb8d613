import type { Reading } from '../answers/reading';
import { openBlocks, type OpenBlocks } from '../markdown/open-blocks';
import { readReplyBlock, type ReplyBlock } from './reply-block';
import type { ReplyMaterial } from './reply-material';
import { claimsIn, type ReplyWriter } from './reply-writer';
import { createVisibleAnswer } from './visible-answer';

/** The part of a reply that has not been added yet: what is valid of it, and what is not. */
export type HeldReply = Reading<ReplyBlock[]>;

/** A reply as it comes, without the notes before it. */
export function openReply(
  options: { writer: ReplyWriter; dropped: Set<string>; expectsNotes: boolean; holdsAll?: boolean },
  material: ReplyMaterial,
): OpenBlocks<ReplyBlock> {
  const { expectsNotes, ...given } = options;
  return openBlocks({
    ...given,
    visible: createVisibleAnswer({ expectsNotes }),
    readBlock: (block, context) => readReplyBlock(block, material, context),
    partsIn: claimsIn,
  });
}
