import type { ArtifactRef } from '../core/contracts/artifact';
import { SectionFindings, type ValidatedFindings } from '../core/contracts/finding';
import { unvalidated } from '../core/unvalidated';
import { readArtifact, storeArtifact } from './artifacts';
import type { ActivityPorts, RunBrief } from './ports';

export interface KeepFindingsInput {
  run: RunBrief;
  /** In outline order. */
  findingsRefs: ArtifactRef[];
}

/** Where there is no pass 3: the findings as pass 2 left them, each marked as not validated. Asks no engine. */
export async function keepFindings(
  ports: ActivityPorts,
  { run, findingsRefs }: KeepFindingsInput,
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
