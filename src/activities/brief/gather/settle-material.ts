import type { ArtifactRef } from '../../../contracts/run/artifact';
import { GatheredMaterial } from '../../../subtopics/gathered-material';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import type { BriefFacts } from '../brief-facts';
import { SummaryChecks } from './summary-checks';
import { tellConflicts } from './tell-conflicts';

export interface SettleMaterialInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  /** What came of the subtopics that were checked. */
  checksRefs: ArtifactRef[];
}

export interface SettledMaterial {
  /** `BriefMaterial`, without what its own sources do not bear. */
  materialRef: ArtifactRef;
  setAside: number;
}

/** The end of the first pass: what a brief is written from, with the verdicts on it. */
export async function settleMaterial(
  { content, events, threads }: ActivityPorts,
  { run, materialRef, checksRefs }: SettleMaterialInput,
  signal: AbortSignal,
): Promise<SettledMaterial> {
  const { runId, question } = run;
  const material = await readShared(content, materialRef, GatheredMaterial);
  const checks = await Promise.all(checksRefs.map((ref) => readShared(content, ref, SummaryChecks)));
  const verdicts = Object.fromEntries(checks.flatMap((one) => Object.entries(one.verdicts)));
  const foundIn = Object.fromEntries(checks.flatMap((one) => Object.entries(one.foundIn)));
  const given = { question, material, verdicts, foundIn };
  const settled = await threads.run('settle-material', given, signal);
  await tellConflicts(events, runId, settled.conflicts);
  return {
    materialRef: await storeArtifact(content, runId, settled),
    setAside: settled.setAside.length,
  };
}
