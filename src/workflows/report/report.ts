import { CancellationScope, ContinueAsNew, isCancellation } from '@temporalio/workflow';
import type { PassName } from '../../contracts/kinds';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { RunOutcome } from '../../contracts/run/run';
import { admit } from './admit';
import { reserveReport } from '../run/call-costs';
import { concludeRun, failRun } from './conclude-run';
import { crossReference } from './cross-reference';
import { deepDive } from './deep-dive';
import { fallsShort } from '../run/falls-short';
import { gather } from './gather';
import { isInvalidInput, settledInput } from './settled-input';
import { overview } from './overview';
import { openRun, type Run } from '../run/run';
import type { RunState } from '../run/run-state';
import { isBug } from '../run/workflow-bug';
import { writeReport } from './write-report';

/**
 * A report: whatever anybody gave is checked first, then its passes in their order, each able to end the history and go on
 * in a new one. Whatever ends a run early, it stores what it has as a partial report before it closes: a cancellation, its
 * time, or a failure that nothing stands in for. Where nothing answers, the report says so, and is partial.
 */
export async function report(given: unknown, carried?: RunState): Promise<RunOutcome> {
  const input = settledInput(given, carried);
  const run = openRun(input, carried);
  void CancellationScope.current().cancelRequested.catch(() => run.setStatus('cancelling'));
  try {
    return await reported(run);
  } catch (error) {
    if (isBug(error) || error instanceof ContinueAsNew || isInvalidInput(error) || isCancellation(error))
      throw error;
    throw await failRun(run, error);
  }
}

async function reported(run: Run): Promise<RunOutcome> {
  try {
    await run.clock.within(() => carryOutPasses(run));
  } catch (error) {
    if (isBug(error) || error instanceof ContinueAsNew || isInvalidInput(error)) throw error;
    if (isCancellation(error)) {
      const outcome = await concludeRun(run, run.clock.timeIsUp ? 'partial' : 'cancelled');
      if (run.clock.timeIsUp) return outcome;
      throw error;
    }
    if (!(await fallsShort(run, error))) throw error;
    return concludeRun(run, 'partial');
  }
  const { quotedSteps, shortfalls, noAnswer } = run.state;
  const isWhole = quotedSteps === 0 && shortfalls.length === 0 && noAnswer !== true;
  return concludeRun(run, isWhole ? 'completed' : 'partial');
}

async function carryOutPasses(run: Run): Promise<void> {
  const passes: [PassName, (run: Run) => Promise<void>][] = [
    ['gather', gather],
    ['overview', overview],
    ['deep-dive', deepDive],
    ['cross-reference', crossReference],
    ['report', writeReport],
  ];
  await admit(run);
  reserveReport(run);
  for (const [name, carryOut] of passes) {
    if (run.state.finishedPasses.includes(name) || isLeftOut(name, run.input)) continue;
    await run.enter(name);
    await carryOut(run);
    run.leave(name);
    if (name !== 'report') await run.continueAsNewIfLong();
  }
}

/** A single pass is not cross-checked. */
function isLeftOut(pass: PassName, { synthesis }: ReportRunInput): boolean {
  return pass === 'cross-reference' && !synthesis.enableMultiPass;
}
