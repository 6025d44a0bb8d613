import type { ArtifactRef } from '../core/contracts/artifact';
import { SectionFindings, type ValidatedFindings } from '../core/contracts/finding';
import { Outline } from '../core/contracts/outline';
import { SourceCatalogue } from '../core/contracts/source';
import { readArtifact, readIfAny, readShared, storeArtifact } from './artifacts';
import { placedSection } from './outline-section';
import type { ActivityPorts, RunBrief } from './ports';
import { SectionChecks } from './section-checks';
import { tellConflicts } from './tell-conflicts';

export interface ReconcileFindingsInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  /** In outline order. */
  sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null; unvalidated: boolean }[];
  /** What was found when support for the major findings was sought. */
  supportRef: ArtifactRef | null;
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
  { run, catalogueRef, outlineRef, sections, supportRef }: ReconcileFindingsInput,
  signal: AbortSignal,
): Promise<ReconciledFindings> {
  const outline = await readShared(ports.content, outlineRef, Outline);
  const sectionsById = new Map(outline.sections.map((section) => [section.id, placedSection(section)]));
  const checked = await Promise.all(
    sections.map(async ({ findingsRef, checksRef, unvalidated }) => {
      const found = await readArtifact(ports.content, findingsRef, SectionFindings);
      const { sectionId: id } = found;
      const section = sectionsById.get(id);
      if (section === undefined) throw new Error(`The outline has no section ${id}.`);
      return {
        section,
        found,
        unvalidated,
        checks: await readIfAny(ports.content, checksRef, SectionChecks),
      };
    }),
  );
  const catalogue = await readShared(ports.content, catalogueRef, SourceCatalogue);
  const sources = new Map(
    catalogue.sources.map(({ id, title, quality, publishedAt, nearDuplicateOf }) => [
      id,
      { title, quality, publishedAt, nearDuplicateOf },
    ]),
  );
  const support = await readIfAny(ports.content, supportRef, SectionChecks);
  const reconciled = await ports.threads.run(
    'reconcile',
    {
      question: run.question,
      detectConflicts: run.synthesis.enableConflictDetection,
      sections: checked,
      support,
      sources,
      counts: catalogue.counts,
    },
    signal,
  );
  const read = [...checked.map(({ checks }) => checks), support];
  const validated: ValidatedFindings = {
    ...reconciled,
    readInFull: [...new Set(read.flatMap((checks) => checks?.readInFull ?? []))],
  };
  const validatedRef = await storeArtifact(ports.content, run.runId, validated);
  await tellConflicts(ports.events, run.runId, validated.conflicts);
  return {
    validatedRef,
    findings: validated.sections.reduce((sum, section) => sum + section.findings.length, 0),
    conflicts: validated.conflicts.length,
    gaps: validated.gaps.length,
  };
}
