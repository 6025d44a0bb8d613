import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { StepFailedError } from '../engines/step-failed-error';
import { MissingArtifactError } from './artifacts';
import { EngineNotAvailableError } from './run-step';

/** Failures that come again whenever the activity is tried again. */
const PERMANENT = [MissingArtifactError, EngineNotAvailableError, StepFailedError];

/** What Temporal is told of an error: whether to try again, under the error's own name. */
export function asActivityFailure(error: unknown): unknown {
  if (error instanceof TemporalFailure || !(error instanceof Error)) return error;
  if (!PERMANENT.some((type) => error instanceof type)) return error;
  return ApplicationFailure.create({
    message: error.message,
    type: error.name,
    nonRetryable: true,
    cause: error,
  });
}
