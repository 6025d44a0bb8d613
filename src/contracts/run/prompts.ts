import { z } from 'zod';
import { Warning } from './run';

export const PromptOrigin = z.object({
  name: z.string().min(1),
  version: z.string().min(1),
  /** Those that the version had when the run began. */
  labels: z.array(z.string()),
  from: z.enum(['code', 'langfuse']),
});
export type PromptOrigin = z.infer<typeof PromptOrigin>;

/** A prompt that takes the place of a step's own, with its text as it was when the run began. */
export const PinnedPrompt = PromptOrigin.extend({
  from: z.literal('langfuse'),
  template: z.object({ system: z.string(), user: z.string() }),
});
export type PinnedPrompt = z.infer<typeof PinnedPrompt>;

/** The prompts that a run was pinned to when it began; a step that is not named is given its own. */
export const PinnedPrompts = z.object({
  prompts: z.record(z.string(), PinnedPrompt),
  warnings: z.array(Warning),
});
export type PinnedPrompts = z.infer<typeof PinnedPrompts>;
