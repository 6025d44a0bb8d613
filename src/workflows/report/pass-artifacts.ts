import type { ArtifactRef } from '../../contracts/run/artifact';

/** What pass 0 makes: every source with a summary, rated. */
export interface Catalogue {
  ref: ArtifactRef;
  sources: number;
  /** The list of what was gathered, in the order of the manifest. */
  gatheredRef: ArtifactRef;
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

/** A section's text, as a version of the report has it. */
export interface SectionText {
  sectionId: string;
  /** Null where it could not be written. */
  draftRef: ArtifactRef | null;
  /** What an audit criticises of it, where that is to be mended. */
  critiqueRef: ArtifactRef | null;
  /** Whether it is to be written anew for that, if the judge names it or not. */
  isWanting: boolean;
}

/** What pass 4 makes: the texts of a version of the report. */
export interface ReportText {
  /** In outline order. */
  sections: readonly SectionText[];
  /** Null where it could not be written. */
  frameRef: ArtifactRef | null;
}
