import { CancellationScope, ContinueAsNew, isCancellation } from '@temporalio/workflow';
import type { PassName, ReportRunInput, RunOutcome } from '../core/contracts/run';
import { admit } from './admit';
import { reserveReport } from './call-costs';
import { concludeRun, failRun } from './conclude-run';
import { crossReference } from './cross-reference';
import { deepDive } from './deep-dive';
import { gather } from './gather';
import { isInvalidInput, settledInput } from './settled-input';
import { overview } from './overview';
import { openRun, type Run } from './run';
import type { RunState } from './run-state';
import { writeReport } from './write-report';

/**
 * A report: whatever anybody gave is checked first, then its passes in their order, each able to end the history and go on in a new one. A run that is cancelled or
 * out of time stores what it has as a partial report before it closes; a pass that fails leaves what stands in its place;
 * where nothing answers, the report says so, and is partial.
 */
export async function report(given: unknown, carried?: RunState): Promise<RunOutcome> {
  const input = settledInput(given, carried);
  const run = openRun(input, carried);
  void CancellationScope.current().cancelRequested.catch(() => run.setStatus('cancelling'));
  const passes: [PassName, (run: Run) => Promise<void>][] = [
    ['gather', gather],
    ['overview', overview],
    ['deep-dive', deepDive],
    ['cross-reference', crossReference],
    ['report', writeReport],
  ];
  try {
    await run.clock.within(async () => {
      await admit(run);
      reserveReport(run);
      for (const [name, carryOut] of passes) {
        if (run.state.finishedPasses.includes(name) || isLeftOut(name, input)) continue;
        await run.enter(name);
        await carryOut(run);
        run.leave(name);
        if (name !== 'report') await run.continueAsNewIfLong();
      }
    });
    const { quotedSteps, shortfalls, noAnswer } = run.state;
    const isWhole = quotedSteps === 0 && shortfalls.length === 0 && noAnswer !== true;
    return await concludeRun(run, isWhole ? 'completed' : 'partial');
  } catch (error) {
    if (error instanceof ContinueAsNew || isInvalidInput(error)) throw error;
    if (isCancellation(error)) {
      const outcome = await concludeRun(run, run.clock.timeIsUp ? 'partial' : 'cancelled');
      if (run.clock.timeIsUp) return outcome;
      throw error;
    }
    throw await failRun(run, error);
  }
}

/** A single pass is not cross-checked. */
function isLeftOut(pass: PassName, { synthesis }: ReportRunInput): boolean {
  return pass === 'cross-reference' && !synthesis.enableMultiPass;
}
