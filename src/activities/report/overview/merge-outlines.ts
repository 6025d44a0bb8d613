import type { ArtifactRef } from '../../../contracts/run/artifact';
import { OutlinePlan } from '../../../contracts/report/outline';
import { joinPlans } from '../../../core/ranking/join-plans';
import { NO_USAGE } from '../../../core/budget/usage';
import { mergeOutlines as mergeOutlinesStep } from '../../../steps/merge-outlines/merge-outlines';
import { readArtifact, storeArtifact } from '../../shared/artifacts';
import type { PlannedOutline } from './plan-outline';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { runStep } from '../../shared/run-step';

export interface MergeOutlinesActivityInput {
  run: ReportFacts;
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
  const answering = plans.filter(({ sections }) => sections.length > 0);
  // Where no part answers, or one alone, there is nothing to join that an engine is needed for.
  const { output, ...spent } =
    answering.length < 2
      ? { output: joinPlans(plans), usage: NO_USAGE, warnings: [] }
      : await runStep(
          ports,
          run,
          mergeOutlinesStep,
          { question: run.question, plans: answering },
          { place: { pass: 1 }, signal },
        );
  const planRef = await storeArtifact(ports.content, run.runId, output);
  return { planRef, sections: output.sections.length, ...spent };
}
