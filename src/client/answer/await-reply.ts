import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { Answer } from '../../contracts/answer/answer';
import { waitUntilClosed } from '../closed-run';
import { failedWith } from '../grpc-failure';
import { findRun, type StartRecords } from '../described-run';
import { withOwnSignal } from '../own-signal';
import { RunNotFoundError, RunWithoutAnswerError } from '../run-errors';
import { storedResult } from '../stored-result';
import type { AnswerRequest, WaitForAnswer } from './answer-request';

/** A name that histories carry: the update that waits for the reply, and the query for what there is. */
export const REPLY = 'reply';

const RETRY_MS = 300;

/** A wait is begun anew after so long: a connection that died without a word is found out. */
const WAIT_MS = 60_000;

/** Starts the workflow with its update in one call, and resolves with the reply. Rejects as `startRun` does before. */
export async function startAndAwaitReply(
  records: StartRecords,
  request: AnswerRequest,
  options: WaitForAnswer,
): Promise<Answer> {
  // Only now: what starts runs is large, and most replies are only read.
  const { ANSWER } = await import('../kinds/answer.js');
  const { runPlanner } = await import('../starting/start-run.js');
  const { runId, start, before } = await (await runPlanner(records, ANSWER, request))();
  if (start === null) return awaitReply(records, runId, options);
  const updateId = randomUUID();
  let tries = 0;
  return overRestarts(records, runId, options, async () => {
    tries += 1;
    // A try before this one may have started it, and the answer to that was lost.
    const now = tries === 1 ? null : await findRun(records, runId);
    if (now !== null && now.historyId !== before?.historyId) return askRunning(records, runId, updateId);
    return records.client.workflow.executeUpdateWithStart<Workflow, unknown, []>(REPLY, {
      updateId,
      startWorkflowOperation: new WithStartWorkflowOperation(ANSWER.kind, {
        ...start,
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      }),
    });
  });
}

export function awaitReply(
  records: StartRecords,
  requestId: string,
  options: WaitForAnswer,
): Promise<Answer> {
  const updateId = randomUUID();
  return overRestarts(records, requestId, options, () => askRunning(records, requestId, updateId));
}

/** Null where the request has ended. */
async function askRunning(records: StartRecords, requestId: string, updateId: string): Promise<unknown> {
  const now = await findRun(records, requestId);
  if (now === null) throw new RunNotFoundError(requestId);
  if (!now.isRunning) return null;
  return records.client.workflow
    .getHandle(requestId, now.historyId)
    .executeUpdate<unknown, []>(REPLY, { updateId });
}

/** `ask` is tried until it resolves; where the request has ended meanwhile, its kept answer is the reply. */
async function overRestarts(
  records: StartRecords,
  requestId: string,
  { signal = new AbortController().signal }: WaitForAnswer,
  ask: () => Promise<unknown>,
): Promise<Answer> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const reply = await withOwnSignal(signal, (own) =>
        records.client.withDeadline(Date.now() + WAIT_MS, () => records.client.withAbortSignal(own, ask)),
      );
      return reply === null ? await answerOfEnded(records, requestId, signal) : Answer.parse(reply);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError)
        return answerOfEnded(records, requestId, signal);
      if (!isAway(error)) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** gRPC's codes for what another try may mend: no answer in time, nobody there, too much at once, a server that goes down. */
const AWAY: readonly number[] = [
  1 /* CANCELLED */, 4 /* DEADLINE_EXCEEDED */, 8 /* RESOURCE_EXHAUSTED */, 10 /* ABORTED */,
  14 /* UNAVAILABLE */,
];

function isAway(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  return failedWith(error, AWAY);
}

async function answerOfEnded(records: StartRecords, requestId: string, signal: AbortSignal): Promise<Answer> {
  const { status, message } = await waitUntilClosed(records.client, requestId, signal);
  const answer = await storedResult(records, requestId, Answer);
  if (answer === null) throw new RunWithoutAnswerError(requestId, status, message);
  return answer;
}
