import type { RunFacts } from './ports';

/** What tells the events of a round of added sources from those before it. */
export function roundOf({ round }: Pick<RunFacts, 'round'>): { ordinal?: number } {
  return round === undefined ? {} : { ordinal: round };
}
