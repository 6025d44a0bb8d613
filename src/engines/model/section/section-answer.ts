import type { AnswerProblem, Reading } from '../answers/reading';
import { createBlockReader } from '../markdown/block-reader';
import type { ModelResponse } from '../port/model-client';
import { ThinkingFilter } from '../port/thinking';
import type { SectionMaterial } from './section-material';
import { readSectionBlock, type SectionBlock } from './section-text';
import { toldIn, type SectionWriter } from './section-writer';

/** The part of an answer that has not been added yet: what is valid of it, and what is not. */
export type HeldText = Reading<SectionBlock[]>;

/** An answer as it comes: up to the first problem it is added at once, from there on it is held. */
export interface SectionAnswer {
  write(text: string): void;
  /** Takes the text of a response that was not streamed, as from a cache. */
  takeWhole(response: ModelResponse): void;
  end(options: { cutOff: boolean }): HeldText;
  /** How the block begins, as it was written, with which the held part begins. */
  heldFrom(): string | null;
}

export function openSectionAnswer(
  options: { writer: SectionWriter; dropped: Set<string>; holdsAll?: boolean },
  material: SectionMaterial,
  sectionTitle: string,
): SectionAnswer {
  const { writer, dropped, holdsAll = false } = options;
  // A sentence that is held may be written anew, and does not count as said until it stands.
  const said = new Set(writer.said());
  const held: SectionBlock[] = [];
  const problems: AnswerProblem[] = [];
  let heldFrom: string | null = null;
  let streamed = false;
  let number = 0;
  const reader = createBlockReader((block) => {
    number += 1;
    const reading = readSectionBlock(block, material, { path: `paragraph ${number}`, sectionTitle, said });
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
      reader.write(text);
    },
    takeWhole(response) {
      if (streamed) return;
      // As the stream would have come, so that a response from the cache makes the same text.
      const thinking = new ThinkingFilter();
      reader.write(thinking.push(response.text) + thinking.end());
    },
    end(options) {
      reader.end(options);
      const findings = new Set(held.flatMap(toldIn));
      return { output: held, problems, warnings: [], parts: findings.size };
    },
    heldFrom: () => heldFrom,
  };
}
