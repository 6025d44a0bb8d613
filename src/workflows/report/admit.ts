import { patched } from '@temporalio/workflow';
import { activities } from '../run/activities';
import type { Run } from '../run/run';
import { invalidInput } from './settled-input';

/**
 * Before anything is done for a run: whether its sources are there, so that whoever started it with something else is told
 * at once; the step versions are pinned where it came without; and what an earlier run of the same id told is forgotten,
 * now that there is one in its place.
 */
export async function admit(run: Run): Promise<void> {
  const { runId, manifestRef, sourceCount, stepVersions } = run.input;
  if (run.state.finishedPasses.length > 0 || run.state.rounds !== undefined || !patched('admitted')) return;
  const request = { runId, manifestRef, sourceCount };
  const admission = await run.carryOut(activities.admitRun, request, 'look at the sources');
  if (admission.problems.length > 0) throw invalidInput(admission.problems);
  // The run's brief has the same record, and so has the next history.
  if (Object.keys(stepVersions).length === 0) Object.assign(stepVersions, admission.stepVersions);
  const { formerLogBegunAt: begunAt } = admission;
  if (begunAt !== null)
    await run.carryOut(activities.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
}
