import type { z } from 'zod';
import type { KnownPrompt, StepTemplate } from './template';

/** Which of the configured models carries a step out; the extractive engine has none and ignores it. */
export type StepRole = 'fast' | 'strong' | 'critic';

export interface StepProblem {
  path: string;
  message: string;
}

/**
 * One thing an engine is asked to do. `input` and `output` are its contract; `check` finds what the schemas cannot
 * see, and returns no problem for a good output. A change of what a step asks for is a new `version`.
 */
export interface Step<Input, Output, Name extends string = string> {
  name: Name;
  version: string;
  role: StepRole;
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  /** `WITHOUT_PROMPT` for a step that no model carries out. */
  template: StepTemplate;
  /** One that is found under its own name and is filled as it is. */
  knownPrompt?: KnownPrompt;
  /** The values of the template's variables. `mark` delimits what others wrote, so that their text cannot end it. Pure. */
  variables(input: Input, mark: string): Record<string, string>;
  check(input: Input, output: Output): StepProblem[];
}
