import type { RunOutcome } from '../../contracts/run/run';
import { carryOutRun } from '../run/carry-out-run';
import { BRIEF } from './brief-kind';

/** The workflow of a brief, whoever starts it; the server knows it by this name. */
export function brief(...given: unknown[]): Promise<RunOutcome> {
  return carryOutRun(BRIEF, given);
}
