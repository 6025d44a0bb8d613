import type { SectionScope } from '../material/section-scope';
import type { ExtractFindingsInput } from './contract';

/** All sections that a step reads its sources for. */
export function sectionsOf({
  section,
  alsoFor = [],
}: Pick<ExtractFindingsInput, 'section' | 'alsoFor'>): SectionScope[] {
  return [section, ...alsoFor];
}
