/** How long a run tries on by itself where nothing else is said: a day. */
export const DEFAULT_PATIENCE_MS = 86_400_000;
