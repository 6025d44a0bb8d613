/** A theme of the collection: the term that it grew from, and how strongly each source belongs to it, 0–1. */
export interface Theme {
  term: number;
  affinity: Float64Array;
  /** Sources whose strongest theme this is, strongest first. */
  core: number[];
}

export interface ThemeLimits {
  count: number;
  /** The fewest sources that make a theme. */
  minSources: number;
  /** The least affinity, 0–1, with which a source counts as one of a theme's own. */
  belongs: number;
}
