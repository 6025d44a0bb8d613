import { CancellationScope, ContinueAsNew, isCancellation } from '@temporalio/workflow';
import type { RunOutcome } from '../../contracts/run/run';
import type { RunInput } from '../../contracts/run/run-input';
import type { CarriedRun } from './carried-run';
import { failRun } from './fail-run';
import { endsInShortfall } from './shortfall';
import { settledStart } from './given-start';
import { isInvalidInput } from './invalid-input';
import type { Kind } from './kind';
import { openRun } from './open-run';
import type { Run } from './run';
import { isBug } from './workflow-bug';

/**
 * A run of any kind: whatever anybody gave is checked first, then its passes in their order, each able to end the history and
 * go on in a new one. Whatever ends a run early, it stores what it has as a partial result before it closes: a cancellation,
 * its time, or a failure that nothing stands in for. Where nothing answers, the result says so, and is partial.
 */
export async function carryOutRun<Input extends RunInput, Carried extends CarriedRun, Brief extends object>(
  kind: Kind<Input, Carried, Brief>,
  given: readonly unknown[],
): Promise<RunOutcome> {
  const { input, carried } = settledStart(kind, given);
  const run = openRun(kind, input, carried);
  void CancellationScope.current().cancelRequested.catch(() => run.setStatus('cancelling'));
  try {
    const outcome = await concluded(kind, run);
    await run.outagesTold();
    return outcome;
  } catch (error) {
    if (isInvalidInput(error)) await run.inbox.idle();
    if (isBug(error) || error instanceof ContinueAsNew || isInvalidInput(error) || isCancellation(error))
      throw error;
    throw await failRun(run, error);
  }
}

async function concluded<Input extends RunInput, Carried extends CarriedRun, Brief extends object>(
  kind: Kind<Input, Carried, Brief>,
  run: Run<Input, Carried, Brief>,
): Promise<RunOutcome> {
  try {
    await run.clock.within(() => kind.carryOut(run));
  } catch (error) {
    if (isBug(error) || error instanceof ContinueAsNew || isInvalidInput(error)) throw error;
    if (isCancellation(error)) {
      const outcome = await kind.conclude(run, run.clock.timeIsUp ? 'partial' : 'cancelled');
      if (run.clock.timeIsUp) return outcome;
      throw error;
    }
    if (!(await endsInShortfall(run, error, kind.insteadOfUnfinished))) throw error;
    return kind.conclude(run, 'partial');
  }
  const { quotedSteps, shortfalls, noAnswer } = run.carried;
  const isWhole = quotedSteps === 0 && shortfalls.length === 0 && noAnswer !== true;
  return kind.conclude(run, isWhole ? 'completed' : 'partial');
}
