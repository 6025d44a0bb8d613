/** A stretch of a source: `content.slice(start, start + text.length) === text`. */
export interface Passage {
  sourceId: string;
  text: string;
  start: number;
}

export interface ClaimMaterial {
  cited: readonly Passage[];
  /** Passages of other sources, among which the true source of a misattributed claim may be. */
  others?: readonly Passage[];
  /** Who says it and when: authors, dates and titles of what it cites; a claim may name them. */
  attribution: readonly string[];
  /** Texts in which its abbreviations are introduced, such as the report that it is of. */
  definitions?: readonly string[];
}
