import { BriefMaterial } from '../../../contracts/brief/brief-material';
import { BriefPlan, type BriefPart } from '../../../contracts/brief/brief-plan';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { Conflict, Finding } from '../../../contracts/report/finding';
import type { CitableSource } from '../../../steps/material/citable-source';
import { readShared } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { describedSource } from '../../shared/texts/described-source';
import type { TextMaterial } from '../../shared/texts/text-material';
import { readTemplate, wantedParts } from '../../../briefs/template';
import type { WantedPart } from '../../../steps/plan-brief/contract';
import { templateText } from '../../../templates/template-text';
import type { BriefFacts } from '../brief-facts';
import type { z } from 'zod';
import { SectionDraft } from '../../../contracts/report/draft';
import { replaceAsides, replaceMarks } from '../../../core/text/citation-marks';
import type { ToldSentence } from '../../../steps/write-brief-part/contract';

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

export function allFindings({ subtopics }: Pick<BriefMaterial, 'subtopics'>): Finding[] {
  return subtopics.flatMap(({ findings }) => findings);
}

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

/** What a brief's template wants of its parts, in the order in which they are read. It was read before the run began. */
export async function wantedOf(
  { brief: { template } }: Pick<BriefFacts, 'brief'>,
  { subtopics }: Pick<BriefMaterial, 'subtopics'>,
): Promise<WantedPart[]> {
  const read = readTemplate(await templateText(template));
  if ('problems' in read) throw new Error(read.problems.join(' '));
  return wantedParts(read.template, subtopics);
}

export interface PartText {
  partId: string;
  draft: SectionDraft;
}

export async function readParts(
  { content }: Pick<ActivityPorts, 'content'>,
  drafts: readonly { partId: string; draftRef: ArtifactRef }[],
): Promise<PartText[]> {
  return Promise.all(
    drafts.map(async ({ partId, draftRef }) => ({
      partId,
      draft: await readShared(content, draftRef, SectionDraft),
    })),
  );
}

/**
 * What other parts say that a part is not to say again, claim by claim, in the order in which they are read. The summary and the
 * conclusions point at the parts on subtopics, and the summary at the conclusions: what points at a part is no reason for it to
 * be silent.
 */
export function toldBefore(
  partId: string,
  parts: readonly PartText[],
  plan: BriefPlan,
): z.infer<typeof ToldSentence>[] {
  const told = parts.filter(
    (part) => pointsAt(part.partId) < pointsAt(partId) || pointsAt(part.partId) === 0,
  );
  return inReadingOrder(told, plan).flatMap((part) =>
    part.draft.claims.map(({ text, findingIds }) => ({
      partId: part.partId,
      findingIds,
      text: withoutMarks(text),
    })),
  );
}

function pointsAt(partId: string): number {
  return ['conclusions', 'summary'].indexOf(partId) + 1;
}

/** So much of the part before is shown, in UTF-16 units. */
const SHOWN_BEFORE = 600;

/** How the part ends that is read before this one; null where there is none, or it is not written yet. */
export function endBefore(partId: string, parts: readonly PartText[], plan: BriefPlan): string | null {
  const at = plan.parts.findIndex(({ id }) => id === partId);
  const before = plan.parts[at - 1];
  const written = parts.find((part) => part.partId === before?.id);
  if (written === undefined) return null;
  const text = withoutMarks(written.draft.markdown).trim();
  const last = text.slice(text.lastIndexOf('\n\n') + 1).trim();
  return last === '' ? null : last.slice(-SHOWN_BEFORE);
}

export function findingsTold(parts: readonly PartText[]): Set<string> {
  return new Set(parts.flatMap(({ draft }) => draft.claims.flatMap(({ findingIds }) => findingIds)));
}

function inReadingOrder(parts: readonly PartText[], { parts: planned }: BriefPlan): PartText[] {
  const place = new Map(planned.map(({ id }, at) => [id, at]));
  return [...parts].sort((a, b) => (place.get(a.partId) ?? 0) - (place.get(b.partId) ?? 0));
}

function withoutMarks(text: string): string {
  return replaceAsides(
    replaceMarks(text, () => ''),
    () => '',
  ).replace(/[ \t]+(?=[.,;:!?)]|$)/gm, '');
}
