import type { AnswerProblem, Reading } from '../answers/reading';
import { createBlockReader } from '../markdown/block-reader';
import type { ModelResponse } from '../port/model-client';
import { ThinkingFilter } from '../port/thinking';
import { readReplyBlock, type ReplyBlock } from './reply-block';
import type { ReplyMaterial } from './reply-material';
import { claimsIn, type ReplyWriter } from './reply-writer';
import { createVisibleAnswer } from './visible-answer';

/** The part of a reply that has not been added yet: what is valid of it, and what is not. */
export type HeldReply = Reading<ReplyBlock[]>;

/** A reply as it comes: up to the first problem it is added at once, from there on it is held. */
export interface OpenReply {
  write(text: string): void;
  /** Takes the text of a response that was not streamed, as from a cache. */
  takeWhole(response: ModelResponse): void;
  end(options: { cutOff: boolean }): HeldReply;
  /** How the block begins, as it was written, with which the held part begins. */
  heldFrom(): string | null;
}

export function openReply(
  options: { writer: ReplyWriter; dropped: Set<string>; expectsNotes: boolean; holdsAll?: boolean },
  material: ReplyMaterial,
): OpenReply {
  const { writer, dropped, expectsNotes, holdsAll = false } = options;
  // A sentence that is held may be written anew, and does not count as said until it stands.
  const said = new Set(writer.said());
  const held: ReplyBlock[] = [];
  const problems: AnswerProblem[] = [];
  let heldFrom: string | null = null;
  let streamed = false;
  let number = 0;
  const visible = createVisibleAnswer({ expectsNotes });
  const reader = createBlockReader((block) => {
    number += 1;
    const reading = readReplyBlock(block, material, { path: `paragraph ${number}`, said });
    for (const part of reading.dropped) dropped.add(part);
    if (heldFrom === null && reading.problems.length === 0 && !holdsAll) {
      writer.add(reading.blocks);
      return;
    }
    heldFrom ??= block;
    held.push(...reading.blocks);
    problems.push(...reading.problems);
  });
  return {
    write(text) {
      streamed = true;
      reader.write(visible.push(text));
    },
    takeWhole(response) {
      if (streamed) return;
      // As the stream would have come, so that a response from the cache makes the same text.
      const thinking = new ThinkingFilter();
      reader.write(visible.push(thinking.push(response.text) + thinking.end()));
    },
    end(options) {
      reader.write(visible.end());
      reader.end(options);
      return { output: held, problems, warnings: [], parts: claimsIn(held) };
    },
    heldFrom: () => heldFrom,
  };
}
