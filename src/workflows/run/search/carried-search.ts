import type { ArtifactRef } from '../../../contracts/run/artifact';

export interface CarriedSearch {
  /** How many rounds are over. */
  rounds: number;
  /** What indexes answered, a reference a round. */
  resultsRefs: ArtifactRef[];
  /** What was tried, the last batch; the others lie behind it. */
  triedRef: ArtifactRef | null;
  /** What became of all that was found; absent before the end of the first round. */
  accountRef?: ArtifactRef;
  now?: SearchRound;
}

interface SearchRound {
  queriesRef?: ArtifactRef;
  /** Whether this round's results are the last of those above. */
  isAsked?: true;
  worksRef?: ArtifactRef;
  works: number;
  /** The place of the next work that is tried. */
  next: number;
  pages: number;
  bytes: number;
  /** ISO 8601; until then pages are asked for. Absent before the first is. */
  until?: string;
  isOver: 'pages' | 'bytes' | 'time' | null;
}

export const NOTHING_SEARCHED: Pick<CarriedSearch, 'rounds' | 'resultsRefs' | 'triedRef'> = {
  rounds: 0,
  resultsRefs: [],
  triedRef: null,
};

export const ROUND_BEGINS: SearchRound = { works: 0, next: 0, pages: 0, bytes: 0, isOver: null };

/** What is said of a search that is under way, or about to be; null where none is. */
export function searchMessage(
  search: { indexes: readonly { name: string }[]; maxPages: number } | undefined,
  carried: CarriedSearch | undefined,
): string | null {
  if (search === undefined || (carried !== undefined && carried.now === undefined)) return null;
  const { worksRef, works = 0, pages = 0 } = carried?.now ?? {};
  if (worksRef === undefined) return `Searching ${search.indexes.map(({ name }) => name).join(', ')}…`;
  return `Reading what the search found: ${pages} of ${Math.min(works, search.maxPages)} pages…`;
}
