import type { SectionScope } from '../material/section-scope';
import type { ExtractFindingsInput } from './contract';

export function sectionsOf({
  section,
  alsoFor = [],
}: Pick<ExtractFindingsInput, 'section' | 'alsoFor'>): SectionScope[] {
  return [section, ...alsoFor];
}
