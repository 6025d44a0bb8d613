import type { z } from 'zod';

/** Which of the configured models carries a step out; the extractive engine has none and ignores it. */
export type StepRole = 'fast' | 'strong' | 'critic';

/** Something in an output that a schema cannot see: which part, what is wrong with it. */
export interface StepProblem {
  path: string;
  message: string;
}

/**
 * One thing an engine is asked to do. `input` and `output` are its contract; `check` finds what the schemas cannot
 * see, and returns no problem for a good output. A change of what a step asks for is a new `version`.
 */
export interface Step<Input, Output> {
  name: string;
  version: string;
  role: StepRole;
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  check(input: Input, output: Output): StepProblem[];
}
