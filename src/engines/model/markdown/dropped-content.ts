import type { AnswerProblem } from '../answers/reading';
import type { DroppedPart } from './plain-blocks';

/** Tables and code may hold what is to be said; the other parts that are dropped say nothing. */
const HOLDS_CONTENT: readonly DroppedPart[] = ['table', 'code'];

/** What is to be said of the parts that were dropped of a block; `text` is what the block is of, such as `a section`. */
export function droppedContent(dropped: readonly DroppedPart[], path: string, text: string): AnswerProblem[] {
  return dropped
    .filter((part) => HOLDS_CONTENT.includes(part))
    .map((part) => ({
      path,
      message: `there is a ${part === 'code' ? 'code block' : part}; write sentences`,
      code: 'form-not-allowed',
      warning: `A table or a code block was dropped from ${text}.`,
    }));
}
