import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { adviceOn } from '../engines/failure-advice';
import { spentBefore } from '../engines/spent-before-failure';
import { StepFailedError } from '../engines/step-failed-error';
import { MissingArtifactError } from './artifacts';
import { EngineNotAvailableError } from './run-step';

/** Failures that come again whenever the activity is tried again. */
const PERMANENT = [MissingArtifactError, EngineNotAvailableError, StepFailedError];

/**
 * What Temporal is told of an error: under its own name and kind, whether to try again and when, and what had been spent
 * by then.
 */
export function asActivityFailure(error: unknown): unknown {
  if (error instanceof TemporalFailure || !(error instanceof Error)) return error;
  const usage = spentBefore(error);
  const advice = adviceOn(error);
  const isPermanent = PERMANENT.some((type) => error instanceof type);
  if (!isPermanent && advice === null && usage === null) return error;
  return ApplicationFailure.create({
    message: error.message,
    type: advice === null ? error.name : `${error.name}.${advice.kind}`,
    nonRetryable: advice === null ? isPermanent : !advice.retryable,
    cause: error,
    ...(usage === null ? {} : { details: [{ usage }] }),
    ...(advice?.retryable && advice.retryAfterMs !== null ? { nextRetryDelay: advice.retryAfterMs } : {}),
  });
}
