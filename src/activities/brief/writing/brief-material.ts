import { BriefMaterial } from '../../../contracts/brief/brief-material';
import { BriefPlan, type BriefPart } from '../../../contracts/brief/brief-plan';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { Conflict, Finding } from '../../../contracts/report/finding';
import type { CitableSource } from '../../../steps/material/citable-source';
import { readShared } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { describedSource } from '../../shared/texts/described-source';
import type { TextMaterial } from '../../shared/texts/text-material';

/** What a brief is written from, and what it is going to be. */
export interface PlannedMaterial {
  material: BriefMaterial;
  plan: BriefPlan;
}

export async function readPlanned(
  { content }: Pick<ActivityPorts, 'content'>,
  { materialRef, planRef }: { materialRef: ArtifactRef; planRef: ArtifactRef },
): Promise<PlannedMaterial> {
  const material = await readShared(content, materialRef, BriefMaterial);
  return { material, plan: await readShared(content, planRef, BriefPlan) };
}

/** Every statement of the summaries, in their order. */
export function allFindings({ subtopics }: Pick<BriefMaterial, 'subtopics'>): Finding[] {
  return subtopics.flatMap(({ findings }) => findings);
}

/** These findings with the conflicts in which they stand, and the sources of both. */
export function textMaterial(material: BriefMaterial, findings: Finding[]): TextMaterial {
  const ids = new Set(findings.map(({ id }) => id));
  const conflicts = material.conflicts.filter(({ findingIds }) => findingIds.some((id) => ids.has(id)));
  return { findings, conflicts, sources: citableSources(material, findings, conflicts) };
}

/** What the plan gives a part to tell, in its order. */
export function plannedFindings(material: BriefMaterial, { findingIds }: BriefPart): Finding[] {
  const byId = new Map(allFindings(material).map((finding) => [finding.id, finding]));
  return findingIds.flatMap((id) => byId.get(id) ?? []);
}

/** In the order of the citation index, with what a writer may say of them. */
function citableSources(
  { sources }: BriefMaterial,
  findings: readonly Finding[],
  conflicts: readonly Conflict[],
): CitableSource[] {
  const cited = new Set([
    ...findings.flatMap(({ citations }) => citations),
    ...conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ citations }) => citations)),
  ]);
  return sources.filter(({ id }) => cited.has(id)).map(describedSource);
}
