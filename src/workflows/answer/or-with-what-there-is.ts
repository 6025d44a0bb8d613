import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { keepWarnings } from '../run/carried-run';
import { isInvalidInput } from '../run/invalid-input';
import { reasonOf } from '../run/shortfall';
import type { AnswerRun } from './answer-run';

/**
 * Does the work; where it fails for good, or what it needs is away for longer than somebody waits for an answer, keeps why: the
 * reply is made of what there is.
 */
export async function orWithWhatThereIs(run: AnswerRun, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isFailure = error instanceof ActivityFailure || error instanceof ApplicationFailure;
    if (!isFailure || isCancellation(error) || isInvalidInput(error)) throw error;
    const { carried } = run;
    const reason = reasonOf(error);
    carried.failure = reason;
    const message = `The answer could not be finished (${reason}), so the reply has what there was until then.`;
    carried.shortfalls.push(message);
    keepWarnings(carried, [{ code: 'answer-failed', message }]);
  }
}
