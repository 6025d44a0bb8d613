import { ActivityFailure, ApplicationFailure, CancellationScope, isCancellation } from '@temporalio/workflow';
import { causeMessage, isEngineUnreachable, isOutageGivenUp } from './outages/step-failures';
import { MAX_REASON_CHARS } from './run-constants';
import type { Run } from './run';

/**
 * Does the work; where it has failed for itself, tells `failed` why, and gives null: a run goes on with what it has. A
 * cancellation goes on being one, and a run that is not to wait and has found nothing yet ends where no model can be asked.
 */
export async function orShortfall<Result>(
  run: Run,
  work: () => Promise<Result>,
  failed: (reason: string) => Promise<void> | void,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error) || isCancellation(error)) throw error;
    if (isEngineUnreachable(error) ? !run.hasFindings() : isOutageGivenUp(error)) throw error;
    await failed(reasonOf(error));
    return null;
  }
}

function isFailure(error: unknown): error is ActivityFailure | ApplicationFailure {
  return error instanceof ActivityFailure || error instanceof ApplicationFailure;
}

/** Without its full stop: it stands within a sentence. */
export function reasonOf(error: ActivityFailure | ApplicationFailure): string {
  const text = causeMessage(error).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return text.length <= MAX_REASON_CHARS ? text : `${text.slice(0, MAX_REASON_CHARS - 1)}…`;
}

/**
 * Says to the reader why a run ends at a failure that nothing stands in for; false where it is to fail: what it needs is
 * away, it is not to wait, and it has found nothing yet. `instead` says what stands in the place of the rest.
 */
export async function endsInShortfall(run: Run, error: unknown, instead: string): Promise<boolean> {
  if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure)) return false;
  if (isOutageGivenUp(error) && !run.hasFindings()) return false;
  const { number } = run.placeOf(run.unfinishedPass());
  const sentence = `Pass ${number} could not be finished (${reasonOf(error)}), ${instead}.`;
  // A cancellation meanwhile changes nothing: the run ends anyway.
  await CancellationScope.nonCancellable(() => run.addShortfall(sentence));
  return true;
}
