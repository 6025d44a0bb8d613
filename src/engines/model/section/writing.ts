import type { WriteSectionInput, WriteSectionOutput } from '../../../steps/write-section/contract';
import { warningsOf } from '../answers/reading';
import type { AskedStep } from '../asked-step';
import type { HeldText } from './section-answer';
import type { SectionWriter } from './section-writer';

/** A section's step; its text is no `StepAnswer`, because it is read while it comes. */
export type AskedSection = Pick<
  AskedStep<WriteSectionInput, WriteSectionOutput>,
  'step' | 'prompt' | 'calls' | 'warn'
>;

/** A section under way. */
export interface Writing extends AskedSection {
  writer: SectionWriter;
  dropped: Set<string>;
}

/** Takes what was held as it is: without what is invalid in it. */
export function accept(writing: Writing, held: HeldText): void {
  writing.writer.add(held.output ?? []);
  writing.warn(...warningsOf(held.problems));
}
