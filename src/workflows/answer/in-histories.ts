// What the histories of an answer depend on, besides what every run's do (../run/in-histories.ts). What is changed here
// without a patch breaks answers that are under way.

/** Counts changes of what is carried over that an older worker could not read. */
export const STATE_VERSION = 1;

/** Somebody waits for an answer: what is away is waited for so long, and then the answer is what stands in for one. */
export const PATIENCE_MS = 120_000;
