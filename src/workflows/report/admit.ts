import { CancellationScope, deprecatePatch } from '@temporalio/workflow';
import { activities as shared } from '../run/activities';
import { isAtItsBeginning } from '../run/carried-run';
import { invalidInput } from '../run/invalid-input';
import { activities } from './activities';
import { givenSources } from './steering/given-sources';
import { missingSources } from './input/read-report-start';
import { LOOKS_AT_SOURCES } from './in-histories';
import type { ReportRun } from './report-run';

/**
 * Before anything is done for a run: whether its sources are there, so that whoever started it with something else is told
 * at once; the step versions are pinned where it came without, and the prompts that its steps have elsewhere; and what an earlier run of the same id told is forgotten,
 * now that there is one in its place.
 */
export async function admit(run: ReportRun): Promise<void> {
  const { runId, kind, stepVersions, engine } = run.input;
  if (run.input.sourceCount === 0) await firstSources(run);
  const { manifestRef, sourceCount } = givenSources(run);
  if (!isAtItsBeginning(run.carried)) return;
  deprecatePatch(LOOKS_AT_SOURCES);
  const request = { runId, manifestRef, sourceCount, engine };
  const admission = await run.carryOut(activities.admitRun, request, 'look at the sources');
  if (admission.problems.length > 0) throw invalidInput(kind, admission.problems);
  // The run's brief has the same record, and so has the next history.
  if (Object.keys(stepVersions).length === 0) Object.assign(stepVersions, admission.stepVersions);
  const { formerLogBegunAt: begunAt, promptsRef } = admission;
  if (promptsRef !== undefined) run.usePrompts(promptsRef);
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
}

/** Where the input names no sources, a message that came with the start does. */
async function firstSources(run: ReportRun): Promise<void> {
  await CancellationScope.nonCancellable(() => run.inbox.idle());
  const given = givenSources(run);
  Object.assign(run.input, given);
  if (given.sourceCount === 0)
    throw invalidInput(run.input.kind, [
      ...missingSources({}),
      'sources may also come by the message addSources, sent in one call with the start (signal-with-start)',
    ]);
}
