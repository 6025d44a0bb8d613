import {
  CancellationScope,
  allHandlersFinished,
  condition,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { RunOutcome } from '../../contracts/run/run';
import { ColligateCitations } from '../../temporal/search-attributes';
import type { FinalStatus } from '../run/kind';
import { bestVersion } from '../run/judging/versions';
import { counted } from '../run/publishing/run-mirror';
import { activities } from './activities';
import { assembling } from './assemble';
import type { BriefRun } from './brief-run';
import { shortfallsOf } from './carried-brief';

/** Stores the best version of what there is, whatever becomes of the run meanwhile, and closes its event log. */
export async function concludeBrief(run: BriefRun, reached: FinalStatus): Promise<RunOutcome> {
  return CancellationScope.nonCancellable(async () => {
    const { carried, input } = run;
    const version = bestVersion(carried.versions) ?? { n: 1, text: carried.drafts };
    const isWhole = shortfallsOf(carried, version.text).length === 0;
    const status = reached === 'completed' && !isWhole ? 'partial' : reached;
    const request = assembling(run, version, { status, endedEarly: endedEarly(run, status), isFinal: true });
    const { citations, reportRef, markdownRef } = await run.outlast(
      (trial) =>
        activities.assembleBrief.executeWithOptions({ summary: 'put the brief together', ...trial }, [
          request,
        ]),
      { heedsPause: false },
    );
    if (input.searchAttributes) upsertSearchAttributes([{ key: ColligateCitations, value: citations }]);
    run.end(status, [counted(citations, 'citation'), ...judgedFacts(run)]);
    await condition(allHandlersFinished);
    return { runId: input.runId, status, reportRef, markdownRef };
  });
}

function judgedFacts({ carried: { versions } }: BriefRun): string[] {
  const best = bestVersion(versions);
  if (best === null) return [];
  return [`version ${best.n} of ${versions.length}`, `judged ${best.judged.overall}`];
}

function endedEarly({ carried: { quotedSteps }, clock }: BriefRun, status: FinalStatus): string | null {
  if (status === 'cancelled') return 'The run was cancelled before it was finished.';
  if (clock.timeIsUp) return 'The time allowed for the run was over before it was finished.';
  if (status === 'partial' && quotedSteps > 0)
    return `${quotedSteps === 1 ? 'One step' : `${quotedSteps} steps`} could not be left to the model, for the reasons that the warnings give, and ${quotedSteps === 1 ? 'was' : 'were'} done without it.`;
  return null;
}
