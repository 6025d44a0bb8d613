import { ActivityFailure, ApplicationFailure, CancellationScope, deprecatePatch } from '@temporalio/workflow';
import { reasonOf } from './or-fall-short';
import { NO_OUTAGE_FAILS_A_RUN } from './in-histories';
import type { Run } from './run';
import { isOutageGivenUp } from './outages/step-failures';

/**
 * Says to the reader why a run ends at a failure that nothing stands in for; false where it is to fail: what it needs is
 * away, it is not to wait, and it has found nothing yet. `instead` says what stands in the place of the rest.
 */
export async function fallsShort(run: Run, error: unknown, instead: string): Promise<boolean> {
  if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure)) return false;
  deprecatePatch(NO_OUTAGE_FAILS_A_RUN);
  if (isOutageGivenUp(error) && !run.hasFindings()) return false;
  const { number } = run.placeOf(run.unfinishedPass());
  const sentence = `Pass ${number} could not be finished (${reasonOf(error)}), ${instead}.`;
  // A cancellation meanwhile changes nothing: the run ends anyway.
  await CancellationScope.nonCancellable(() => run.fallShort(sentence));
  return true;
}
