import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionFindings, type ValidatedFindings } from '../../../contracts/report/finding';
import { unvalidated } from '../../../core/evidence/unvalidated';
import { readArtifact, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';

export interface FindingsUncheckedInput {
  run: ReportFacts;
  /** In outline order. */
  findingsRefs: ArtifactRef[];
}

/** Where there is no pass 3: the findings as pass 2 left them, each marked as not validated. Asks no engine. */
export async function findingsUnchecked(
  ports: ActivityPorts,
  { run, findingsRefs }: FindingsUncheckedInput,
): Promise<{ validatedRef: ArtifactRef }> {
  const found = await Promise.all(
    findingsRefs.map((ref) => readArtifact(ports.content, ref, SectionFindings)),
  );
  const kept: ValidatedFindings = {
    sections: found.map(unvalidated),
    conflicts: [],
    gaps: [],
    readInFull: [],
  };
  return { validatedRef: await storeArtifact(ports.content, run.runId, kept) };
}
