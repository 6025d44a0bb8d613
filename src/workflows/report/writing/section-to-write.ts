import type { ArtifactRef } from '../../../contracts/run/artifact';

/** What a report is written from. */
export interface WritingRefs {
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
}

/** A section that is written, with what it is written from. */
export interface SectionToWrite {
  id: string;
  index: number;
  sections: readonly { id: string }[];
  refs: WritingRefs;
}

export interface SectionDraft {
  sectionId: string;
  draftRef: ArtifactRef;
  /** What its last audit criticises of it; absent where that asks for no other try. */
  critiqueRef?: ArtifactRef;
}
