/** How long a run tries on by itself where nothing else is said: a day. */
export const DEFAULT_PATIENCE_MS = 86_400_000;

/** Somebody waits for an answer: what is away is waited for so long, and then the answer is what stands in for one. */
export const ANSWER_PATIENCE_MS = 120_000;
