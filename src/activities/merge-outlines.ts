import type { ArtifactRef } from '../core/contracts/artifact';
import { OutlinePlan } from '../core/contracts/outline';
import { mergeOutlines as mergeOutlinesStep } from '../steps/merge-outlines';
import { readArtifact, storeArtifact } from './artifacts';
import type { PlannedOutline } from './plan-outline';
import type { ActivityPorts, RunBrief } from './ports';
import { runStep } from './run-step';

export interface MergeOutlinesActivityInput {
  run: RunBrief;
  /** In the order of the sources that they were made from. */
  planRefs: ArtifactRef[];
}

/** Pass 1, where the summaries did not fit into one call: one plan of those that were made from parts of them. */
export async function mergeOutlines(
  ports: ActivityPorts,
  { run, planRefs }: MergeOutlinesActivityInput,
  signal: AbortSignal,
): Promise<PlannedOutline> {
  const plans = await Promise.all(planRefs.map((ref) => readArtifact(ports.content, ref, OutlinePlan)));
  const input = { question: run.question, plans };
  const { output, ...spent } = await runStep(ports, run, mergeOutlinesStep, input, {
    place: { pass: 1 },
    signal,
  });
  return { planRef: await storeArtifact(ports.content, run.runId, output), ...spent };
}
