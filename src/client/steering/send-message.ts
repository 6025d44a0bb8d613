import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { MessageResult, type MessageName } from '../../contracts/steering/messages';
import { HISTORY_ENDING } from '../../workflows/run/messages';
import { failedWith } from '../grpc-failure';
import { describeRun, type RunRecords } from '../described-run';
import { RunNotRunningError } from '../run-errors';
import { MessageRefusedError, MessageUnansweredError } from './message-errors';

const RETRY_MS = 200;
/** A try is begun anew after so long: a run that went on in a new history meanwhile has lost it. */
const TRY_MS = 10_000;
/** So long a message waits to be answered, where nothing else is said. */
const PATIENCE_MS = 60_000;

/** How long a message may wait, and under which id it is known; ids of their own where they are absent. */
export interface MessageOptions {
  id?: string;
  timeoutMs?: number;
}

/**
 * Sends a message until the run has answered: over restarts, over the end of a history in which it was lost, and over the server's
 * limit of those in flight, under the same id. Rejects with `MessageRefusedError`, `RunNotRunningError`, `RunNotFoundError`, and
 * with `MessageUnansweredError` when the time is over.
 */
export async function sendMessage(
  records: RunRecords,
  runId: string,
  name: MessageName,
  message: { id: string },
  timeoutMs: number = PATIENCE_MS,
): Promise<MessageResult> {
  const { client } = records;
  const until = Date.now() + timeoutMs;
  for (let tries = 0; ; tries += 1) {
    try {
      const deadline = Math.min(until, Date.now() + TRY_MS);
      const result = await client.withDeadline(deadline, async () => {
        const { isRunning } = await describeRun(records, runId);
        if (!isRunning) throw new RunNotRunningError(runId, name);
        const updateId = updateIdOf(message, tries);
        return client.workflow
          .getHandle(runId)
          .executeUpdate<unknown, [unknown]>(name, { updateId, args: [message] });
      });
      return MessageResult.parse(result);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== null && refusal.type !== HISTORY_ENDING)
        throw new MessageRefusedError(runId, refusal.type ?? '', refusal.message);
      if (!mayBeSentAgain(error)) throw error;
      if (Date.now() >= until) throw new MessageUnansweredError(runId, message.id);
      await sleep(RETRY_MS);
    }
  }
}

/**
 * The server tells what it has told before of an update of the same id, whatever is in it. So another content has another id, as has
 * another try, which the run itself knows by the id of the message.
 */
function updateIdOf(message: { id: string }, tries: number): string {
  const content = createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 16);
  return `${message.id}~${content}${tries === 0 ? '' : `#${tries}`}`;
}

function refusalOf(error: unknown): ApplicationFailure | null {
  if (!(error instanceof WorkflowUpdateFailedError)) return null;
  const { cause } = error;
  // The server's own word for an update whose run has gone on in a new history, or has closed.
  if (!(cause instanceof ApplicationFailure) || cause.type === 'AcceptedUpdateCompletedWorkflow') return null;
  return cause;
}

/** gRPC's codes for what another try may mend; what was not found in flight is looked at again, with the run. */
const AGAIN: readonly number[] = [
  1 /* CANCELLED */, 4 /* DEADLINE_EXCEEDED */, 5 /* NOT_FOUND */, 8 /* RESOURCE_EXHAUSTED */,
  9 /* FAILED_PRECONDITION */, 10 /* ABORTED */, 14 /* UNAVAILABLE */,
];

function mayBeSentAgain(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError) return true;
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  return failedWith(error, AGAIN);
}
