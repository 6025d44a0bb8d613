import { ActivityFailure, isCancellation } from '@temporalio/workflow';
import { causeMessage, isEngineUnreachable } from './step-failures';
import type { Run } from './run';

const MAX_REASON_CHARS = 300;

/**
 * Does the work; where it has failed for good, tells `failed` why, and gives null: a run goes on with what it has. A
 * cancellation goes on being one, and a run that has found nothing yet ends where no model can be asked.
 */
export async function orFallShort<Result>(
  run: Run,
  work: () => Promise<Result>,
  failed: (reason: string) => Promise<void> | void,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const hasFindings = run.state.sections.some(({ findingsRef }) => findingsRef !== null);
    if (isEngineUnreachable(error) && !hasFindings) throw error;
    await failed(shortened(causeMessage(error)));
    return null;
  }
}

/** Without its full stop: it stands within a sentence. */
function shortened(reason: string): string {
  const text = reason.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return text.length <= MAX_REASON_CHARS ? text : `${text.slice(0, MAX_REASON_CHARS - 1)}…`;
}
