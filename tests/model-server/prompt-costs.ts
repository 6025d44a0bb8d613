import { materialIn } from './prompt-material';

/** A prompt that was sent, as a bill with prefix caching would have it; sizes in characters. */
export interface PromptCost {
  chars: number;
  /** How much of it is how an earlier prompt began. */
  sharedChars: number;
  sources: number;
}

export function promptCosts(prompts: readonly string[]): PromptCost[] {
  return prompts.map((prompt, at) => ({
    chars: prompt.length,
    sharedChars: prompts
      .slice(0, at)
      .reduce((longest, earlier) => Math.max(longest, sharedPrefix(prompt, earlier)), 0),
    sources: [...materialIn(prompt).keys()].filter((name) => /^S\d+$/.test(name)).length,
  }));
}

function sharedPrefix(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
