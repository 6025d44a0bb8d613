import { traitsOf } from '../../../contracts/run/engines';
import { isSpent } from '../../../core/budget/budget-ledger';
import type { ReportRun } from '../carried-report';
import { gatherAdded, joinOutline } from './before-reading';
import { waitingSources } from './given-sources';

/** Whether sources have come that were not read. With a spent budget they are left out, which the end of the run reports. */
export async function hasMoreToRead(run: ReportRun): Promise<boolean> {
  await run.inbox.idle();
  return waitingSources(run) > 0 && !isBudgetSpent(run);
}

export function isBudgetSpent({ input, carried }: ReportRun): boolean {
  return traitsOf(input.engine).asksModels && isSpent(carried.ledger);
}

/**
 * Gathers sources that came after the reading, and has the passes run once more over all sources: passes 2 to 4 over the same
 * outline, and pass 1 too where nothing answered before. Groups of sources that did not change are asked the same, so the response
 * cache answers them. False where nothing is left to read.
 */
export async function repeatsPasses(run: ReportRun): Promise<boolean> {
  const { carried } = run;
  if (!(await hasMoreToRead(run))) return false;
  carried.addedRounds = (carried.addedRounds ?? 0) + 1;
  Object.assign(run.facts, { round: carried.addedRounds });
  if (carried.noAnswer !== true) {
    await joinOutline(run);
    carried.finishedPasses = ['gather', 'overview'];
    return true;
  }
  await gatherAdded(run);
  carried.finishedPasses = ['gather'];
  carried.sections = [];
  delete carried.noAnswer;
  delete carried.readingBegun;
  return true;
}
