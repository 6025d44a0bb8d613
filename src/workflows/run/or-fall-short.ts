import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { causeMessage, isEngineUnreachable, isOutageGivenUp } from './outages/step-failures';
import { MAX_REASON_CHARS } from './in-histories';
import type { Run } from './run';

/**
 * Does the work; where it has failed for itself, tells `failed` why, and gives null: a run goes on with what it has. A
 * cancellation goes on being one, and a run that is not to wait and has found nothing yet ends where no model can be asked.
 */
export async function orFallShort<Result>(
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
