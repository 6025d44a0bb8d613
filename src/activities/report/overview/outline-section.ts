import type { ArtifactRef } from '../../../contracts/run/artifact';
import { Outline, type OutlineSection, type RankedSection } from '../../../contracts/report/outline';
import type { PlacedSection } from '../../../core/evidence/placement';
import type { SectionScope } from '../../../steps/material/section-scope';
import type { ContentStore } from '../../../stores/content-store';
import { readShared } from '../../shared/artifacts';

export async function readSection(
  content: ContentStore,
  outlineRef: ArtifactRef,
  sectionId: string,
): Promise<{ outline: Outline; section: RankedSection }> {
  const outline = await readShared(content, outlineRef, Outline);
  const section = outline.sections.find(({ id }) => id === sectionId);
  if (section === undefined) throw new Error(`The outline has no section ${sectionId}.`);
  return { outline, section };
}

export function briefOf({ id, title, description, subsections }: OutlineSection): SectionScope {
  return { id, title, description, subsections: subsections.map((subsection) => subsection.title) };
}

/** A section as findings are put into it: its brief, and how relevant each of the named sources is to it. */
export function placedSection(section: RankedSection, named: ReadonlySet<string>): PlacedSection {
  const scores = section.sourceScores.filter(({ sourceId }) => named.has(sourceId));
  return { ...briefOf(section), relevance: new Map(scores.map((one) => [one.sourceId, one.relevance])) };
}
