import type { ArtifactRef } from '../core/contracts/artifact';
import { ValidatedFindings } from '../core/contracts/finding';
import { SourceCatalogue } from '../core/contracts/source';
import { writeSection as writeSectionStep } from '../steps/write-section';
import { readShared, storeArtifact } from './artifacts';
import { citableSources } from './citable-sources';
import { readSection } from './outline-section';
import type { ActivityPorts, RunBrief } from './ports';
import { runStep, type Spent } from './run-step';
import { openSectionStream } from './section-stream';

export interface WriteSectionActivityInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  sectionId: string;
}

export interface WrittenSection extends Spent {
  draftRef: ArtifactRef;
}

/** Pass 4 for one section: its text, streamed into the event log as it is written. */
export async function writeSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, validatedRef, sectionId }: WriteSectionActivityInput,
  signal: AbortSignal,
): Promise<WrittenSection> {
  const catalogue = await readShared(ports.content, catalogueRef, SourceCatalogue);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const validated = await readShared(ports.content, validatedRef, ValidatedFindings);
  const findings = validated.sections.find((entry) => entry.sectionId === sectionId)?.findings ?? [];
  const ids = new Set(findings.map((finding) => finding.id));
  const conflicts = validated.conflicts.filter((conflict) => conflict.findingIds.some((id) => ids.has(id)));
  const { relevantSources: _relevance, ...brief } = section;
  const input = {
    question: run.question,
    section: brief,
    findings,
    conflicts,
    sources: citableSources(catalogue, findings, conflicts),
    targetWords: targetWords(findings.length, validated, run.synthesis.targetReportLength),
  };
  const stream = await openSectionStream(ports.events, run.runId, sectionId);
  const { output, usage, warnings } = await runStep(ports, run, writeSectionStep, input, {
    place: { pass: 4, section: sectionId },
    signal,
    onText: (text) => stream.write(text),
  });
  await stream.finish(output.markdown);
  return { draftRef: await storeArtifact(ports.content, run.runId, output), usage, warnings };
}

/** What is left of a report's length for its sections: the summary, the assessment and the sources take the rest. */
const SECTIONS_SHARE = 0.65;

/** A section's part of the report's length, by how much of the findings it has. */
function targetWords(findings: number, validated: ValidatedFindings, reportWords: number): number {
  const all = validated.sections.reduce((sum, section) => sum + section.findings.length, 0);
  return Math.max(1, Math.round((reportWords * SECTIONS_SHARE * findings) / Math.max(1, all)));
}
