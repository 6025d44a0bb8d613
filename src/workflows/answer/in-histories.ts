// What the histories of an answer depend on, besides what every run's do (../run/in-histories.ts). What is changed here
// without a patch breaks answers that are under way.

/** Counts changes of what is carried over that an older worker could not read. */
export const STATE_VERSION = 1;
