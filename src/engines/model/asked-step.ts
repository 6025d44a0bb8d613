import type { Warning } from '../../contracts/run/run';
import type { Step } from '../../steps/step';
import type { StepAnswer } from './answers/step-answer';
import type { PromptOf } from './prompt-messages';
import type { StepCalls } from './step-calls';

/** A step with all that is needed to carry it out. */
export interface AskedStep<Input, Output> {
  step: Step<Input, Output>;
  answer: StepAnswer<Input, Output>;
  prompt: PromptOf<Input>;
  calls: StepCalls;
  /** Takes what is to be told of the step besides its output. */
  warn: (...warnings: Warning[]) => void;
}
