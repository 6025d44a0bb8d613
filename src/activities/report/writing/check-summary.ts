import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ReportFrame } from '../../../contracts/report/draft';
import { ValidatedFindings } from '../../../contracts/report/finding';
import { frameOf, frameText } from '../../../core/settled-text/frame-text';
import { readShared, storeArtifact } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import { checkText } from './check-text';
import { citableSources } from './citable-sources';
import type { ActivityPorts, RunBrief } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';

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
  const frame = await readShared(ports.content, frameRef, ReportFrame);
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
