import type { SectionBrief } from '../material/section-brief';
import type { ExtractFindingsInput } from './contract';

/** All sections that a step reads its sources for. */
export function sectionsOf({
  section,
  alsoFor = [],
}: Pick<ExtractFindingsInput, 'section' | 'alsoFor'>): SectionBrief[] {
  return [section, ...alsoFor];
}
