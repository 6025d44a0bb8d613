import { BriefMaterial } from '../../../contracts/brief/brief-material';
import { BriefPlan, type BriefPart } from '../../../contracts/brief/brief-plan';
import { SectionDraft } from '../../../contracts/report/draft';
import type { Conflict, Finding } from '../../../contracts/report/finding';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { Passage, SourceWindow } from '../../../contracts/source/passage';
import { readTemplate, type TemplatePart, wantedParts } from '../../../briefs/template';
import { charsInWindow } from '../../../core/budget/call-estimates';
import { modelOfPass } from '../../../core/budget/model-of-pass';
import { groupedBy } from '../../../core/values/grouped-by';
import type { CitableSource } from '../../../steps/material/citable-source';
import type { BriefSummary } from '../../../steps/write-text/brief-task';
import { templateText } from '../../../templates/template-text';
import { readShared } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { describedSource } from '../../shared/described-source';
import type { TextMaterial } from '../../shared/quoted-claims';
import type { BriefFacts } from '../brief-facts';

/** Under whose name the texts of parts are told; logs of earlier releases have it. */
export const PART_WRITER = { pass: 2, step: 'write-brief-part' };

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

/**
 * The sources of the citation index as a critic reads them: of each the statements that the summaries make on its account, under the
 * titles of their subtopics and the sentences before them. Offsets count in the text that is `held` of it.
 */
export function sourceWindows(material: BriefMaterial): SourceWindow[] {
  const { sources, held } = material;
  const passages = new Map<string, Passage[]>();
  for (const { title, findings } of material.subtopics)
    for (const { finding, before } of inParagraphs(material, findings).flatMap(withSentenceBefore))
      for (const { sourceId, start, end } of finding.evidence) {
        const text = held[sourceId]?.slice(start, end) ?? '';
        const headings = before === null ? [title] : [title, `after “${before}”`];
        passages.set(sourceId, [...(passages.get(sourceId) ?? []), { start, end, text, headings }]);
      }
  return sources.flatMap((source) => {
    const own = passages.get(source.id) ?? [];
    if (own.length === 0) return [];
    return [
      {
        ...describedSource(source),
        summaryOnly: false,
        passages: own.sort((one, other) => one.start - other.start),
      },
    ];
  });
}

/** Findings by the paragraph of the summary that they stand in, in order. */
function inParagraphs({ places }: Pick<BriefMaterial, 'places'>, findings: readonly Finding[]): Finding[][] {
  const paragraphOf = ({ id }: Finding): number => places[id]?.[0]?.paragraph ?? -1;
  return [...groupedBy(findings, paragraphOf).values()];
}

function withSentenceBefore(paragraph: readonly Finding[]): { finding: Finding; before: string | null }[] {
  return paragraph.map((finding, at) => ({ finding, before: paragraph[at - 1]?.claim ?? null }));
}

/** The summaries as a writer reads them. */
export function summariesOf(material: BriefMaterial): BriefSummary[] {
  return material.subtopics.map(({ title, findings }) => ({
    title,
    paragraphs: inParagraphs(material, findings).map((paragraph) =>
      paragraph.flatMap(({ citations, evidence: [place] }) => {
        const text =
          place === undefined ? '' : (material.held[place.sourceId]?.slice(place.start, place.end) ?? '');
        return text === '' ? [] : [{ text, sourceIds: citations }];
      }),
    ),
  }));
}

/** A source's title, site, date and marks take about so many characters of a prompt. */
const CHARS_AROUND_SOURCE = 200;

/** True if a writer can read all of it at once. */
export function fitsWindow({ models }: BriefFacts, windows: readonly SourceWindow[]): boolean {
  if (!models) return false;
  const { contextTokens } = modelOfPass(models, 'strong', PART_WRITER.pass);
  const chars = windows.reduce(
    (sum, { passages }) => passages.reduce((all, { text }) => all + text.length, sum + CHARS_AROUND_SOURCE),
    0,
  );
  return chars <= charsInWindow(contextTokens);
}

/** What a brief's template wants of its parts, in the order in which they are read. It was read before the run began. */
export async function wantedOf(
  { brief: { template } }: Pick<BriefFacts, 'brief'>,
  { subtopics }: Pick<BriefMaterial, 'subtopics'>,
): Promise<TemplatePart[]> {
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
