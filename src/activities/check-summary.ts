import type { ArtifactRef } from '../core/contracts/artifact';
import { ReportFrame } from '../core/contracts/draft';
import { ValidatedFindings } from '../core/contracts/finding';
import { frameOf, frameText } from '../core/verification/frame-text';
import { readArtifact, readShared, storeArtifact } from './artifacts';
import { openCatalogue } from './catalogue';
import { checkText } from './check-text';
import { citableSources } from './citable-sources';
import type { ActivityPorts, RunBrief } from './ports';
import type { Spent } from './run-step';

export interface CheckSummaryInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  validatedRef: ArtifactRef;
  frameRef: ArtifactRef;
}

export interface CheckedSummary extends Spent {
  frameRef: ArtifactRef;
}

/** Pass 4, last: the summary's bullets against all findings, as a section's sentences are. */
export async function checkSummary(
  ports: ActivityPorts,
  { run, catalogueRef, validatedRef, frameRef }: CheckSummaryInput,
  signal: AbortSignal,
): Promise<CheckedSummary> {
  const frame = await readArtifact(ports.content, frameRef, ReportFrame);
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { sections, conflicts } = await readShared(ports.content, validatedRef, ValidatedFindings);
  const findings = sections.flatMap((section) => section.findings);
  const material = { findings, conflicts, sources: await citableSources(catalogue, findings, conflicts) };
  const { settled, usage, warnings } = await checkText(ports, run, frameText(frame), material, {
    place: { pass: 4 },
    signal,
  });
  return {
    frameRef: await storeArtifact(ports.content, run.runId, frameOf(frame, settled)),
    usage,
    warnings,
  };
}
