import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { notesOn } from '../engines/failure-notes';
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
  const notes = notesOn(error);
  const advice = notes?.advice ?? null;
  const isPermanent = PERMANENT.some((type) => error instanceof type);
  if (!isPermanent && notes === null) return error;
  return ApplicationFailure.create({
    message: error.message,
    type: advice === null ? error.name : `${error.name}.${advice.kind}`,
    nonRetryable: advice === null ? isPermanent : !advice.retryable,
    cause: error,
    ...(notes === null ? {} : { details: [{ usage: notes.spent }] }),
    ...(advice?.retryable && advice.retryAfterMs !== null ? { nextRetryDelay: advice.retryAfterMs } : {}),
  });
}
