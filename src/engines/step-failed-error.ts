import type { FailedStep } from '../core/run/fallback-sentence';
import type { StepProblem } from '../steps/step';

/** A step's output broke its contract, and could not be mended; the message names the first problems. */
export class StepFailedError extends Error {
  constructor(
    readonly step: string,
    readonly problems: readonly StepProblem[],
    readonly why: Pick<FailedStep, 'reason' | 'lacks' | 'sources'> = { reason: 'off-schema' },
  ) {
    const shown = problems.slice(0, 3).map((problem) => `${problem.path}: ${problem.message}`);
    const rest = problems.length > shown.length ? ` (and ${problems.length - shown.length} more)` : '';
    super(`Step ${step} gave an output that breaks its contract: ${shown.join('; ')}${rest}`);
    this.name = 'StepFailedError';
  }
}
