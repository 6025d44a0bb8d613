/** A planned section; sources by id, best first, with their relevance 0–1. */
export interface PlannedSection {
  title: string;
  /** The title as it stands within a sentence. */
  phrase: string;
  /** Whom or what most of the section's sources concern, as a phrase, if they agree. */
  setting: string | null;
  subsections: { title: string; phrase: string; sourceIds: string[] }[];
  sources: { sourceId: string; relevance: number }[];
}

export interface Plan {
  /** Most telling for the question first. */
  sections: PlannedSection[];
  /** How many sources bear on the question at all. */
  fitting: number;
}
