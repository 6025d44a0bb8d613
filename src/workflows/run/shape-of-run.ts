import { patched } from '@temporalio/workflow';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { RunShape } from '../../contracts/run/run-input';
import { EARLIER_SHAPE, RUN_SHAPE } from '../../core/run/run-shape';

/**
 * How a run's work is cut up that would have come to so many pieces before its input said how. So few that all go on at once
 * are the same either way; with more of them a history from before goes on as it began.
 */
export function shapeOfRun({ shape }: ReportRunInput, pieces: number): RunShape {
  if (shape !== undefined) return shape;
  return pieces <= RUN_SHAPE.atOnce || patched('run-shape') ? RUN_SHAPE : EARLIER_SHAPE;
}
