import type { RunInput, RunShape } from '../../contracts/run/run-input';
import { UNTOLD_SHAPE } from '../../core/run/run-shape';

export function shapeOfRun({ shape = UNTOLD_SHAPE }: Pick<RunInput, 'shape'>): RunShape {
  return shape;
}
