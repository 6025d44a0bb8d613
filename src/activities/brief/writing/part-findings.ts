import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefPart } from '../../../contracts/brief/brief-plan';
import type { Finding } from '../../../contracts/report/finding';
import { allFindings, plannedFindings } from './brief-material';
import { findingsTold, type PartText } from './told-before';

/**
 * What a part may tell of: what the plan gives it; a part that tells of no subtopic (the summary, the conclusions) all that the
 * text rests on, strongest first, or before there is any text what the plan gives it.
 */
export function findingsOfPart(
  material: BriefMaterial,
  part: BriefPart,
  others: readonly PartText[],
): Finding[] {
  const isOfSubtopic = material.subtopics.some(({ id }) => id === part.id);
  const own = plannedFindings(material, part);
  if (isOfSubtopic) return own;
  const bodies = others.filter(({ partId }) => material.subtopics.some(({ id }) => id === partId));
  const told = findingsTold(bodies);
  if (told.size === 0) return own.length > 0 ? own : allFindings(material).sort(strongestFirst);
  return allFindings(material)
    .filter(({ id }) => told.has(id))
    .sort(strongestFirst);
}

/** Those that are as strong keep the order in which they are read. */
function strongestFirst(a: Finding, b: Finding): number {
  return b.confidence - a.confidence || b.citations.length - a.citations.length;
}
