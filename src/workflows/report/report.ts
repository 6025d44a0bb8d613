import type { RunOutcome } from '../../contracts/run/run';
import { carryOutRun } from '../run/carry-out-run';
import { REPORT } from './report-kind';

/** The workflow of a report, whoever starts it; the server knows it by this name. */
export function report(...given: unknown[]): Promise<RunOutcome> {
  return carryOutRun(REPORT, given);
}
