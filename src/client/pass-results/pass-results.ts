import type { SectionFindings, ValidatedFindings } from '../../contracts/report/finding';
import type { Outline } from '../../contracts/report/outline';
import type { SourceCatalogue } from '../../contracts/source/source';

export interface PassResults {
  gather: SourceCatalogue;
  overview: Outline;
  /** In the outline's order; of a run that ended during the pass, or stands paused in it, the sections that were done. */
  'deep-dive': SectionFindings[];
  'cross-reference': ValidatedFindings;
}

export type PassWithResult = keyof PassResults;

export type PassResult = {
  [Pass in PassWithResult]: { pass: Pass; result: PassResults[Pass] };
}[PassWithResult];

export interface PassSurroundings {
  catalogue: SourceCatalogue | null;
  outline: Outline | null;
}

export function missingSections(left: PassResult, { outline }: PassSurroundings): Outline['sections'] {
  if (left.pass !== 'deep-dive') return [];
  const there = new Set(left.result.map(({ sectionId }) => sectionId));
  return (outline?.sections ?? []).filter(({ id }) => !there.has(id));
}
