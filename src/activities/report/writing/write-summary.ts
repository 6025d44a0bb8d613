import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionDraft } from '../../../contracts/report/draft';
import { ValidatedFindings, type Finding } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import { writeSummary as writeSummaryStep } from '../../../steps/write-summary/write-summary';
import { readShared, storeArtifact } from '../../shared/artifacts';
import { runStep, type Spent } from '../../shared/run-step';
import { openCatalogue } from '../gather/catalogue';
import { citableSources } from './text-material';
import { briefOf } from '../overview/outline-section';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';

export interface WriteSummaryActivityInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  drafts: { sectionId: string; draftRef: ArtifactRef }[];
}

export interface WrittenSummary extends Spent {
  frameRef: ArtifactRef;
}

export async function writeSummary(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, validatedRef, drafts }: WriteSummaryActivityInput,
  signal: AbortSignal,
): Promise<WrittenSummary> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const outline = await readShared(ports.content, outlineRef, Outline);
  const validated = await readShared(ports.content, validatedRef, ValidatedFindings);
  const used = new Set<string>();
  for (const { draftRef } of drafts) {
    const draft = await readShared(ports.content, draftRef, SectionDraft);
    for (const id of draft.claims.flatMap((claim) => claim.findingIds)) used.add(id);
  }
  const sections = outline.sections.map((section) => ({
    section: briefOf(section),
    findings: (validated.sections.find((entry) => entry.sectionId === section.id)?.findings ?? [])
      .filter((finding) => used.has(finding.id))
      .sort(strongestFirst),
  }));
  const findings = sections.flatMap((section) => section.findings);
  const input = {
    question: run.question,
    overallTheme: outline.overallTheme,
    sections,
    conflicts: validated.conflicts,
    gaps: validated.gaps,
    sources: await citableSources(catalogue, findings, validated.conflicts),
    confidenceThreshold: run.synthesis.confidenceThreshold,
  };
  const { output, usage, warnings } = await runStep(ports, run, writeSummaryStep, input, {
    place: { pass: 4 },
    signal,
  });
  return {
    frameRef: await storeArtifact(ports.content, run.runId, output),
    usage,
    warnings,
  };
}

/** As strong ones stay in the order in which they were found. */
function strongestFirst(a: Finding, b: Finding): number {
  return b.confidence - a.confidence || b.citations.length - a.citations.length;
}
