import type { ArtifactRef } from '../core/contracts/artifact';
import { SectionFindings } from '../core/contracts/finding';
import { SourceCatalogue } from '../core/contracts/source';
import { eventKey } from '../core/event-key';
import { CrossCheckOutput } from '../steps/cross-check';
import { readArtifact, readIfAny, storeArtifact } from './artifacts';
import type { ActivityPorts, RunBrief } from './ports';

export interface ReconcileFindingsInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  /** In outline order. */
  sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null }[];
}

export interface ReconciledFindings {
  validatedRef: ArtifactRef;
  findings: number;
  conflicts: number;
  gaps: number;
}

/** The end of pass 3, one for all sections: each finding with its final confidence, said once; conflicts and gaps. */
export async function reconcileFindings(
  ports: ActivityPorts,
  { run, catalogueRef, sections }: ReconcileFindingsInput,
  signal: AbortSignal,
): Promise<ReconciledFindings> {
  const checked = await Promise.all(
    sections.map(async ({ findingsRef, checksRef }) => ({
      found: await readArtifact(ports.content, findingsRef, SectionFindings),
      checks: await readIfAny(ports.content, checksRef, CrossCheckOutput),
    })),
  );
  const catalogue = await readArtifact(ports.content, catalogueRef, SourceCatalogue);
  const sources = new Map(
    catalogue.sources.map(({ id, title, quality, publishedAt, nearDuplicateOf }) => [
      id,
      { title, quality, publishedAt, nearDuplicateOf },
    ]),
  );
  const validated = await ports.threads.run('reconcile', { sections: checked, sources }, signal);
  const validatedRef = await storeArtifact(ports.content, run.runId, validated);
  for (const conflict of validated.conflicts) {
    const key = eventKey({ pass: 3, step: 'reconcile', type: 'conflict-detected', ordinal: conflict.id });
    await ports.events.appendOnce(run.runId, key, {
      type: 'conflict-detected',
      payload: {
        topic: conflict.topic,
        sources: [...new Set(conflict.viewpoints.flatMap((viewpoint) => viewpoint.citations))],
      },
    });
  }
  return {
    validatedRef,
    findings: validated.sections.reduce((sum, section) => sum + section.findings.length, 0),
    conflicts: validated.conflicts.length,
    gaps: validated.gaps.length,
  };
}
