import { ActivityFailure, ApplicationFailure, CancellationScope, patched } from '@temporalio/workflow';
import { PASS_NAMES, passNumber } from '../../core/run/pass-messages';
import { hasFindings, reasonOf } from './or-fall-short';
import { NO_OUTAGE_FAILS_A_RUN } from './patches';
import type { Run } from './run';
import { isOutageGivenUp } from './step-failures';

/**
 * Says in the report why a run ends at a failure that nothing stands in for; false where it is to fail: what it needs is
 * away, it is not to wait, and it has found nothing yet.
 */
export async function fallsShort(run: Run, error: unknown): Promise<boolean> {
  if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure)) return false;
  if (!patched(NO_OUTAGE_FAILS_A_RUN)) return false;
  if (isOutageGivenUp(error) && !hasFindings(run)) return false;
  const pass = PASS_NAMES.find((name) => !run.state.finishedPasses.includes(name)) ?? 'report';
  const sentence = `Pass ${passNumber(pass)} could not be finished (${reasonOf(error)}), so the report has what there was until then.`;
  // A cancellation meanwhile changes nothing: the run ends anyway.
  await CancellationScope.nonCancellable(() => run.fallShort(sentence));
  return true;
}
