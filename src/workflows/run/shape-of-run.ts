import { patched } from '@temporalio/workflow';
import type { RunInput, RunShape } from '../../contracts/run/run-input';
import { EARLIER_SHAPE, UNTOLD_SHAPE } from '../../core/run/run-shape';
import { CUT_UP_AS_TODAY } from './in-histories';

/**
 * How a run's work is cut up that would have come to so many pieces before its input said how. So few that all go on at once
 * are the same either way; with more of them a history from before goes on as it began.
 */
export function shapeOfRun({ shape }: Pick<RunInput, 'shape'>, pieces: number): RunShape {
  if (shape !== undefined) return shape;
  return pieces <= UNTOLD_SHAPE.atOnce || patched(CUT_UP_AS_TODAY) ? UNTOLD_SHAPE : EARLIER_SHAPE;
}
