import { patched } from '@temporalio/workflow';
import { activities as shared } from '../run/activities';
import { isAtItsBeginning } from '../run/carried-run';
import { invalidInput } from '../run/invalid-input';
import { activities } from './activities';
import { LOOKS_AT_SOURCES } from './in-histories';
import type { ReportRun } from './report-run';

/**
 * Before anything is done for a run: whether its sources are there, so that whoever started it with something else is told
 * at once; the step versions are pinned where it came without, and the prompts that its steps have elsewhere; and what an earlier run of the same id told is forgotten,
 * now that there is one in its place.
 */
export async function admit(run: ReportRun): Promise<void> {
  const { runId, kind, manifestRef, sourceCount, stepVersions, engine } = run.input;
  if (!isAtItsBeginning(run.carried) || !patched(LOOKS_AT_SOURCES)) return;
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
