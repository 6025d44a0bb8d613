import type { ExtractFindingsInput, SectionBrief } from './extract-findings';

/** All sections that a step reads its sources for. */
export function sectionsOf({
  section,
  alsoFor = [],
}: Pick<ExtractFindingsInput, 'section' | 'alsoFor'>): SectionBrief[] {
  return [section, ...alsoFor];
}
