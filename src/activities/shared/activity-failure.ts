import { ApplicationFailure, CancelledFailure, TemporalFailure } from '@temporalio/common';
import { z } from 'zod';
import { notesOn } from '../../engines/failure-notes';
import { StepFailedError } from '../../engines/step-failed-error';
import { CorruptArtifactError } from '../../stores/errors';
import { MissingArtifactError } from './artifacts';

/** Failures that come again whenever the activity is tried again; the last is an output that breaks its own contract. */
const PERMANENT = [MissingArtifactError, CorruptArtifactError, StepFailedError, z.ZodError];

/**
 * What Temporal is told of an error: under its own name and kind, whether to try again and when, and what had been spent
 * by then.
 */
export function asActivityFailure(error: unknown): unknown {
  if (error instanceof TemporalFailure || !(error instanceof Error)) return error;
  const notes = notesOn(error);
  const advice = notes?.advice ?? null;
  const isPermanent = PERMANENT.some((type) => error instanceof type);
  // The SDK would tell the name of its class, which a store of its own kind has made: runs know errors by their own.
  const isNamed = error.name === error.constructor.name;
  if (!isPermanent && notes === null && isNamed) return error;
  return ApplicationFailure.create({
    message: error instanceof z.ZodError ? z.prettifyError(error) : error.message,
    type: advice === null ? error.name : `${error.name}.${advice.kind}`,
    nonRetryable: advice === null ? isPermanent : !advice.retryable,
    cause: error,
    ...(notes === null ? {} : { details: [{ usage: notes.spent }] }),
    ...(advice?.retryable && advice.retryAfterMs !== null ? { nextRetryDelay: advice.retryAfterMs } : {}),
  });
}

/** The same cancellation with what the step, which ended with `error`, had used by then. */
export function asActivityCancellation(cancelled: unknown, error: unknown): unknown {
  const spent = notesOn(error)?.spent;
  if (!(cancelled instanceof CancelledFailure) || spent === undefined) return cancelled;
  return new CancelledFailure(cancelled.message, [{ usage: spent }], cancelled.cause);
}
