import { setTimeout as sleep } from 'node:timers/promises';
import {
  CancelledFailure,
  ServiceError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { RunOutcome } from '../contracts/run/run';
import { ENGINE_UNREACHABLE } from '../workflows/run/messages';
import { withOwnSignal } from './own-signal';
import { RunNotFoundError } from './run-errors';
import type { ClosedRun } from './run-handle';

const RETRY_MS = 300;

/** The server ends a long poll after 20 seconds; the next one begins at once. */
const WAIT_MS = 60_000;

/** Waits until the run has closed, over restarts of the server; rejects with the signal's reason when it aborts. */
export async function waitUntilClosed(
  client: Client,
  runId: string,
  signal?: AbortSignal,
): Promise<ClosedRun> {
  const end = signal ?? new AbortController().signal;
  for (;;) {
    end.throwIfAborted();
    try {
      const result: unknown = await withOwnSignal(end, (signal) =>
        client.withDeadline(Date.now() + WAIT_MS, () =>
          client.withAbortSignal(signal, () => client.workflow.getHandle(runId).result()),
        ),
      );
      return { status: RunOutcome.parse(result).status === 'partial' ? 'partial' : 'completed' };
    } catch (error) {
      end.throwIfAborted();
      if (error instanceof WorkflowFailedError) return closedBy(error);
      if (error instanceof WorkflowNotFoundError) throw new RunNotFoundError(runId);
      if (!(error instanceof ServiceError)) throw error;
      // The time of this wait is up, or the server is away for a moment.
      await sleep(RETRY_MS);
    }
  }
}

function closedBy({ cause, message }: WorkflowFailedError): ClosedRun {
  if (cause instanceof CancelledFailure) return { status: 'cancelled' };
  const isEngineUnreachable = cause instanceof ApplicationFailure && cause.type === ENGINE_UNREACHABLE;
  return {
    status: 'failed',
    message: cause?.message ?? message,
    ...(isEngineUnreachable ? { engineUnreachable: true } : {}),
  };
}
