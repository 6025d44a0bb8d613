import type { PinnedPrompts } from '../contracts/run/prompts';
import type { KnownPrompt, StepTemplate } from '../steps/template';

export interface PromptedStep {
  name: string;
  template: StepTemplate;
  knownPrompt?: KnownPrompt;
}

export interface PromptSource {
  /**
   * The prompts that the steps have there now. It does not fail: what cannot be had, or does not offer the step's variables, is
   * left out, and a warning says why. Rejects with the signal's reason alone.
   */
  resolve(steps: readonly PromptedStep[], signal: AbortSignal): Promise<PinnedPrompts>;
}
