import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isGrpcServiceError,
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { GivenOutline } from '../contracts/outline';
import { type MessageName, MessageResult, type SteeringAnswer } from '../contracts/run';
import { formatValue, toArtifactText } from '../lib/json';
import { type NamedValue, schemaProblemTexts } from '../lib/validation';
import { HISTORY_ENDING, steeringQuery } from '../workflows/messages';
import {
  InvalidRequestError,
  MessageRefusedError,
  MessageUnansweredError,
  RunKindError,
  RunNotRunningError,
} from './client-errors';
import { describeRun, type ImportRecords, type RunRecords } from './run-records';
import type { RequestedSources } from './source-input';

/**
 * Messages to a running run. They reject with `RunNotRunningError`, `RunNotFoundError`, `MessageRefusedError`, and with
 * `MessageUnansweredError` after the timeout.
 */
export interface RunSteering {
  /** Replaces the planned outline before pass 2. Rejects with `InvalidRequestError` for an invalid one. */
  setOutline(outline: GivenOutline, options?: MessageOptions): Promise<MessageResult>;
  approveOutline(options?: MessageOptions): Promise<MessageResult>;
  /** Stores sources and adds them. Rejects with `InvalidSourcesError` for invalid ones. */
  addSources(sources: RequestedSources, options?: MessageOptions): Promise<MessageResult>;
  steering(): Promise<SteeringAnswer>;
}

export type ReportSteering = 'setOutline' | 'approveOutline' | 'addSources';

export function createSteering(records: RunRecords & ImportRecords, runId: string): RunSteering {
  const send = (
    name: MessageName,
    said: object,
    { id = randomUUID(), timeoutMs }: MessageOptions,
  ): Promise<MessageResult> => sendMessage(records, runId, name, { id, ...said }, timeoutMs);
  /** Nothing is stored for a run that would reject the message. */
  const requireReport = async (name: MessageName, what: string): Promise<void> => {
    const { kind, isRunning } = await describeRun(records, runId);
    if (kind !== 'report') throw new RunKindError(runId, kind, `Only a report takes ${what}.`);
    if (!isRunning) throw new RunNotRunningError(runId, name);
  };
  return {
    async setOutline(outline, options = {}) {
      requireShape('outline', GivenOutline, outline);
      await requireReport('setOutline', 'an outline');
      const outlineRef = await records.content.store(runId, toArtifactText(GivenOutline.parse(outline)));
      return send('setOutline', { outlineRef }, options);
    },
    approveOutline: (options = {}) => send('approveOutline', {}, options),
    async addSources(sources, options = {}) {
      await requireReport('addSources', 'more sources');
      if ('manifestRef' in sources) {
        const { manifestRef, count: sourceCount } = sources;
        if (!(await records.content.has(manifestRef)))
          throw new InvalidRequestError([
            `manifestRef is ${formatValue(manifestRef)}, which is not in this content store`,
          ]);
        return send('addSources', { manifestRef, sourceCount }, options);
      }
      // Loaded on demand: the code that reads sources is large.
      const { importRequestSources } = await import('./source-input.js');
      const { manifestRef, count, chars } = await importRequestSources(records, runId, sources);
      return send('addSources', { manifestRef, sourceCount: count, sourceChars: chars }, options);
    },
    steering: () => records.client.workflow.getHandle(runId).query(steeringQuery),
  };
}

/** Throws `InvalidRequestError` with all problems. */
function requireShape(...shaped: NamedValue): void {
  const problems = schemaProblemTexts([shaped]);
  if (problems.length > 0) throw new InvalidRequestError(problems);
}

const RETRY_MS = 200;
/** Time limit of one try: a run that has continued as new meanwhile has lost the update. */
const ATTEMPT_TIMEOUT_MS = 10_000;
/** Default timeout of a message. */
const MESSAGE_TIMEOUT_MS = 60_000;

/** Timeout of a message (default 60,000 ms) and its id (default: a new one). */
export interface MessageOptions {
  id?: string;
  timeoutMs?: number;
}

/**
 * Sends a message under one id until the run answers: across restarts, a continue-as-new that lost it, and the server's limit of
 * updates in flight. Rejects with `MessageRefusedError`, `RunNotRunningError`, `RunNotFoundError`, and with
 * `MessageUnansweredError` after the timeout.
 */
export async function sendMessage(
  records: RunRecords,
  runId: string,
  name: MessageName,
  message: { id: string },
  timeoutMs: number = MESSAGE_TIMEOUT_MS,
): Promise<MessageResult> {
  const { client } = records;
  const until = Date.now() + timeoutMs;
  for (let tries = 0; ; tries += 1) {
    try {
      const deadline = Math.min(until, Date.now() + ATTEMPT_TIMEOUT_MS);
      const result = await client.withDeadline(deadline, async () => {
        const { isRunning } = await describeRun(records, runId);
        if (!isRunning) throw new RunNotRunningError(runId, name);
        const updateId = toUpdateId(message, tries);
        return client.workflow
          .getHandle(runId)
          .executeUpdate<unknown, [unknown]>(name, { updateId, args: [message] });
      });
      return MessageResult.parse(result);
    } catch (error) {
      const refusal = findRejection(error);
      if (refusal !== null && refusal.type !== HISTORY_ENDING)
        throw new MessageRefusedError(runId, refusal.type ?? '', refusal.message);
      if (!isRetryable(error)) throw error;
      if (Date.now() >= until) throw new MessageUnansweredError(runId, message.id);
      await sleep(RETRY_MS);
    }
  }
}

/**
 * The server repeats its answer to an update of a known id, whatever the content. So other content and each retry get another id;
 * the run recognises a retry by the message's id.
 */
function toUpdateId(message: { id: string }, tries: number): string {
  const content = createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 16);
  return `${message.id}~${content}${tries === 0 ? '' : `#${tries}`}`;
}

function findRejection(error: unknown): ApplicationFailure | null {
  if (!(error instanceof WorkflowUpdateFailedError)) return null;
  const { cause } = error;
  // The server's own type for an update whose run has continued as new or closed.
  if (!(cause instanceof ApplicationFailure) || cause.type === 'AcceptedUpdateCompletedWorkflow') return null;
  return cause;
}

/** gRPC codes of errors that a retry may fix. After NOT_FOUND the run is looked up again. */
const RETRYABLE_CODES: readonly number[] = [
  1 /* CANCELLED */, 4 /* DEADLINE_EXCEEDED */, 5 /* NOT_FOUND */, 8 /* RESOURCE_EXHAUSTED */,
  9 /* FAILED_PRECONDITION */, 10 /* ABORTED */, 14 /* UNAVAILABLE */,
];

function isRetryable(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError) return true;
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  return hasGrpcCode(error, RETRYABLE_CODES);
}

/** The gRPC error behind an error, which the client may have wrapped; null for other errors. */
export function grpcFailure(error: unknown): { code: number; details: string } | null {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) ? cause : null;
}

export function hasGrpcCode(error: unknown, codes: readonly number[]): boolean {
  const failure = grpcFailure(error);
  return failure !== null && codes.includes(failure.code);
}
