import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { Answer } from '../contracts/answer';
import { Brief, BriefMaterial } from '../contracts/brief';
import { BriefPlan } from '../contracts/outline';
import type { BriefPassResults, BriefPassWithResult, VersionJudgement } from './brief-passes';
import {
  RunContentGoneError,
  RunKindError,
  RunNotFoundError,
  RunWithoutAnswerError,
  RunWithoutReportError,
} from './client-errors';
import { readArtifact, readCompletion, readStoredResult } from './pass-results';
import { createRunHandle, waitUntilClosed, withScopedSignal } from './run-handle';
import { type DescribedRun, describeRun, findRun, type StartRecords } from './run-records';
import type { AnswerRequest, BriefHandle, WaitForAnswer, WaitForBrief } from './run-requests';
import { hasGrpcCode } from './steering';

/** Name of the workflow's update that waits for the reply, and of its query. Histories contain it. */
export const REPLY = 'reply';

const RETRY_MS = 300;

/** Time limit of one wait, so that a dead connection is noticed. */
const WAIT_MS = 60_000;

/** Starts the workflow and its update in one call and waits for the reply. Rejects like the start of a run. */
export async function startAndAwaitReply(
  records: StartRecords,
  request: AnswerRequest,
  options: WaitForAnswer,
): Promise<Answer> {
  // Loaded on demand: the code that starts runs is large, and most replies are only read.
  const { ANSWER_DEFINITION } = await import('./start-answer.js');
  const { createRunPlanner } = await import('./start-run.js');
  const { runId, start, before } = await (await createRunPlanner(records, ANSWER_DEFINITION, request))();
  if (start === null) return awaitReply(records, runId, options);
  const updateId = randomUUID();
  let tries = 0;
  return retryUntilReply(records, runId, options, async () => {
    tries += 1;
    // An earlier try may have started the run although its response was lost.
    const now = tries === 1 ? null : await findRun(records, runId);
    if (now !== null && now.historyId !== before?.historyId) return requestReply(records, runId, updateId);
    return records.client.workflow.executeUpdateWithStart<Workflow, unknown, []>(REPLY, {
      updateId,
      startWorkflowOperation: new WithStartWorkflowOperation(ANSWER_DEFINITION.kind, {
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
  return retryUntilReply(records, requestId, options, () => requestReply(records, requestId, updateId));
}

/** Null if the request has ended. */
async function requestReply(records: StartRecords, requestId: string, updateId: string): Promise<unknown> {
  const now = await findRun(records, requestId);
  if (now === null) throw new RunNotFoundError(requestId);
  if (!now.isRunning) return null;
  return records.client.workflow
    .getHandle(requestId, now.historyId)
    .executeUpdate<unknown, []>(REPLY, { updateId });
}

/** Retries `ask` until it resolves. If the request has ended meanwhile, its stored answer is the reply. */
async function retryUntilReply(
  records: StartRecords,
  requestId: string,
  { signal = new AbortController().signal }: WaitForAnswer,
  ask: () => Promise<unknown>,
): Promise<Answer> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const reply = await withScopedSignal(signal, (own) =>
        records.client.withDeadline(Date.now() + WAIT_MS, () => records.client.withAbortSignal(own, ask)),
      );
      return reply === null ? await waitForStoredAnswer(records, requestId, signal) : Answer.parse(reply);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError)
        return waitForStoredAnswer(records, requestId, signal);
      if (!isRetryable(error)) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** gRPC codes of errors that a retry may fix. */
const RETRYABLE_CODES: readonly number[] = [
  1 /* CANCELLED */, 4 /* DEADLINE_EXCEEDED */, 8 /* RESOURCE_EXHAUSTED */, 10 /* ABORTED */,
  14 /* UNAVAILABLE */,
];

function isRetryable(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  return hasGrpcCode(error, RETRYABLE_CODES);
}

async function waitForStoredAnswer(
  records: StartRecords,
  requestId: string,
  signal: AbortSignal,
): Promise<Answer> {
  const { status, message } = await waitUntilClosed(records.client, requestId, signal);
  const answer = await readStoredResult(records, requestId, Answer);
  if (answer === null) throw new RunWithoutAnswerError(requestId, status, message);
  return answer;
}

export function createBriefHandle(records: StartRecords, runId: string): BriefHandle {
  const run = createRunHandle(records, runId);

  async function described(): Promise<DescribedRun> {
    const found = await describeRun(records, runId);
    if (found.kind !== 'brief') throw new RunKindError(runId, found.kind, 'It has no brief.');
    return found;
  }

  async function result(): Promise<Brief | null> {
    await described();
    const completion = await readCompletion(records.events, runId);
    if (completion === null) return null;
    const brief = await readArtifact(records.content, completion.reportRef, Brief);
    if (brief === null) throw new RunContentGoneError(runId);
    return brief;
  }

  async function judgements(): Promise<VersionJudgement[] | null> {
    const told = await records.events.read(runId);
    const judged = told.flatMap((event) => (event.type === 'judge' ? [event.payload] : []));
    return judged.length === 0 ? null : judged;
  }

  const readers: { [Pass in BriefPassWithResult]: () => Promise<BriefPassResults[Pass] | null> } = {
    gather: async () =>
      readArtifact(records.content, (await described()).memo.passRefs.material, BriefMaterial),
    plan: async () => readArtifact(records.content, (await described()).memo.passRefs.plan, BriefPlan),
    async judge() {
      await described();
      return judgements();
    },
  };

  return {
    ...run,
    result,
    async brief(options: WaitForBrief = {}) {
      await described();
      const { status, message } = await run.waitUntilClosed(options);
      const brief = await result();
      if (brief !== null) return brief;
      const why = message === undefined ? '' : ` ${message}`;
      throw new RunWithoutReportError(runId, status, why, 'brief');
    },
    passResult: (pass) => readers[pass](),
  };
}
