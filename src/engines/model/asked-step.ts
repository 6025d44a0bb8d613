import type { Warning } from '../../contracts/run/run';
import type { Step } from '../../steps/step';
import type { StepAnswer } from './answers/step-answer';
import type { PromptOf } from './prompt-messages';
import type { StepCalls } from './step-calls';

export interface AskedStep<Input, Output> {
  step: Step<Input, Output>;
  answer: StepAnswer<Input, Output>;
  prompt: PromptOf<Input>;
  calls: StepCalls;
  warn: (...warnings: Warning[]) => void;
  /** Ids of sources that the content filter is known to refuse; a step adds those that it finds. */
  refused: Set<string>;
}
