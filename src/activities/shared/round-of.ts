import type { RunFacts } from './ports';

/** Tells the events of repeated passes from those before. */
export function roundOf({ round }: Pick<RunFacts, 'round'>): { ordinal?: number } {
  return round === undefined ? {} : { ordinal: round };
}
