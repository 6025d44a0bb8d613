import type { SectionFindings, ValidatedFindings } from '../../contracts/report/finding';
import type { Outline } from '../../contracts/report/outline';
import type { SourceCatalogue } from '../../contracts/source/source';

/** What each pass leaves for those after it; the last one leaves the report. */
export interface PassResults {
  gather: SourceCatalogue;
  overview: Outline;
  /** In the outline's order; of a run that ended during the pass, or stands paused in it, the sections that were done. */
  'deep-dive': SectionFindings[];
  'cross-reference': ValidatedFindings;
}

export type PassWithResult = keyof PassResults;

/** A pass with what it left. */
export type PassResult = {
  [Pass in PassWithResult]: { pass: Pass; result: PassResults[Pass] };
}[PassWithResult];

/** What passes before left, which says the titles of what a result names by id. */
export interface PassSurroundings {
  catalogue: SourceCatalogue | null;
  outline: Outline | null;
}

/** The sections that a result should have and has not: those of a deep dive that was not finished. */
export function missingSections(left: PassResult, { outline }: PassSurroundings): Outline['sections'] {
  if (left.pass !== 'deep-dive') return [];
  const there = new Set(left.result.map(({ sectionId }) => sectionId));
  return (outline?.sections ?? []).filter(({ id }) => !there.has(id));
}
