import { STEPS } from './registry';

/** The version of each step in this program; a run is pinned to those it was started with. */
export const stepVersions: Record<string, string> = Object.fromEntries(
  STEPS.map(({ name, version }) => [name, version]),
);
