import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionDraft } from '../../../contracts/report/draft';
import { ValidatedFindings, type Finding } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import { Critique } from '../../../contracts/verification/critique';
import { SUMMARY } from '../../../core/report/summary-part';
import { eventKey } from '../../../core/run/event-key';
import { writeSummary as writeSummaryStep } from '../../../steps/write-summary/write-summary';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import { roundOf, runStep, type Spent } from '../../shared/run-step';
import { readProblems } from '../../shared/judge/judge-version';
import { openCatalogue } from '../gather/catalogue';
import { citableSources } from './text-material';
import { briefOf } from '../overview/outline-section';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { revisionReason } from './write-section';

export interface WriteSummaryActivityInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  drafts: { sectionId: string; draftRef: ArtifactRef }[];
  /** Where it is written once more: which revision this is (from 1), and what is wrong with the text before it. */
  revises?: {
    revision: number;
    /** Of a text that says what it cites does not bear. */
    critiqueRef?: ArtifactRef;
    /** Of a version in which a judge named it. */
    judgementRef?: ArtifactRef;
  };
}

export interface WrittenSummary extends Spent {
  frameRef: ArtifactRef;
  sentences: number;
}

export async function writeSummary(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, validatedRef, drafts, revises }: WriteSummaryActivityInput,
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
  const critique = await readIfAny(ports.content, revises?.critiqueRef ?? null, Critique);
  const problems = await readProblems(ports.content, revises?.judgementRef, SUMMARY);
  const reason = revisionReason({ critique, problems });
  if (revises !== undefined && reason !== '') {
    const { revision } = revises;
    const at = { pass: 4, ...roundOf(run), step: writeSummaryStep.name, section: SUMMARY, revision };
    await ports.events.appendOnce(run.runId, eventKey({ ...at, type: 'revision' }), {
      type: 'revision',
      payload: { section: SUMMARY, revision, reason },
    });
  }
  const input = {
    question: run.question,
    overallTheme: outline.overallTheme,
    sections,
    conflicts: validated.conflicts,
    gaps: validated.gaps,
    sources: await citableSources(catalogue, findings, validated.conflicts),
    confidenceThreshold: run.synthesis.confidenceThreshold,
    ...(critique === null ? {} : { critique }),
    ...(problems === null ? {} : { problems }),
  };
  const { output, usage, warnings } = await runStep(ports, run, writeSummaryStep, input, {
    place: { pass: 4, ...(revises === undefined ? {} : { revision: revises.revision }) },
    signal,
  });
  return {
    frameRef: await storeArtifact(ports.content, run.runId, output),
    sentences: output.checked?.sentences.length ?? 0,
    usage,
    warnings,
  };
}

/** As strong ones stay in the order in which they were found. */
function strongestFirst(a: Finding, b: Finding): number {
  return b.confidence - a.confidence || b.citations.length - a.citations.length;
}
