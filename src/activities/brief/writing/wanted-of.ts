import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import { readTemplate, wantedParts } from '../../../briefs/template';
import type { WantedPart } from '../../../steps/plan-brief/contract';
import { templateText } from '../../../templates/template-text';
import type { BriefFacts } from '../brief-facts';

/** What a brief's template wants of its parts, in the order in which they are read. It was read before the run began. */
export async function wantedOf(
  { brief: { template } }: Pick<BriefFacts, 'brief'>,
  { subtopics }: Pick<BriefMaterial, 'subtopics'>,
): Promise<WantedPart[]> {
  const read = readTemplate(await templateText(template));
  if ('problems' in read) throw new Error(read.problems.join(' '));
  return wantedParts(read.template, subtopics);
}
