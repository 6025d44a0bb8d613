import type { AnswerProblem, Reading } from '../answers/reading';
import type { ModelResponse } from '../port/model-client';
import { ThinkingFilter } from '../port/thinking';
import { createBlockReader } from './block-reader';

export interface BlockRead<Block, Dropped> {
  blocks: Block[];
  problems: AnswerProblem[];
  dropped: Dropped[];
}

/** A text as it comes: up to the first problem its blocks are added at once, from there on they are held. */
export interface OpenBlocks<Block> {
  write(text: string): void;
  /** Takes the text of a response that was not streamed, as from a cache. */
  takeWhole(response: ModelResponse): void;
  /** The part that has not been added yet. */
  end(options: { cutOff: boolean }): Reading<Block[]>;
  /** How the block begins, as it was written, with which the held part begins. */
  heldFrom(): string | null;
}

/** Takes a model's text in parts, and gives what of it is the answer, as soon as that is known. */
export interface VisibleText {
  push(text: string): string;
  end(): string;
}

const ALL_OF_IT: VisibleText = { push: (text) => text, end: () => '' };

export function openBlocks<Block, Dropped>(options: {
  writer: { add(blocks: readonly Block[]): void; said(): ReadonlySet<string> };
  dropped: Set<Dropped>;
  holdsAll?: boolean;
  visible?: VisibleText;
  /** `said` has the sentences that stand already, and takes those that are added. */
  readBlock: (block: string, context: { path: string; said: Set<string> }) => BlockRead<Block, Dropped>;
  partsIn: (held: readonly Block[]) => number;
}): OpenBlocks<Block> {
  const { writer, dropped, holdsAll = false, visible = ALL_OF_IT, readBlock, partsIn } = options;
  // A sentence that is held may be written anew, and does not count as said until it stands.
  const said = new Set(writer.said());
  const held: Block[] = [];
  const problems: AnswerProblem[] = [];
  let heldFrom: string | null = null;
  let streamed = false;
  let number = 0;
  const reader = createBlockReader((block) => {
    number += 1;
    const reading = readBlock(block, { path: `paragraph ${number}`, said });
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
    end(at) {
      reader.write(visible.end());
      reader.end(at);
      return { output: held, problems, warnings: [], parts: partsIn(held) };
    },
    heldFrom: () => heldFrom,
  };
}
