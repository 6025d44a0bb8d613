import type { ArtifactRef } from '../../contracts/run/artifact';

/** What pass 0 makes: every source with a summary, rated. */
export interface Catalogue {
  ref: ArtifactRef;
  sources: number;
}

/** A section as pass 1 has planned it. */
export interface OutlinedSection {
  id: string;
  sources: number;
}

/** What pass 1 makes; without sections where nothing answers. */
export interface Outline {
  ref: ArtifactRef;
  sections: readonly OutlinedSection[];
}

/** A section with what pass 2 has found for it; null where nothing could be taken. */
export interface FoundSection {
  id: string;
  findingsRef: ArtifactRef | null;
}

/** What pass 2 makes. */
export interface Reading {
  /** In outline order. */
  sections: readonly FoundSection[];
  /** The sources ranked by what they gave; null where they could not be ranked. */
  rankingRef: ArtifactRef | null;
  /** Which sources were read together; absent where each section read its own. */
  readingRef?: ArtifactRef;
  /** Where no pass 3 follows: the findings as they are. */
  validatedRef?: ArtifactRef;
}
