import { WorkflowNotFoundError, type Client, type WorkflowExecutionInfo } from '@temporalio/client';
import { z } from 'zod';
import { ArtifactRef } from '../core/contracts/artifact';
import { PassName, RunStatus, Usage } from '../core/contracts/run';
import { PASS_NAMES, passMessage } from '../core/pass-messages';
import { NO_USAGE } from '../core/usage';
import type { RunMemo } from '../workflows/messages';
import { RunNotFoundError } from './run-errors';

const MemoOfRun: z.ZodType<RunMemo> = z.object({
  question: z.string(),
  startedAt: z.string(),
  status: RunStatus,
  pass: z.object({ number: z.int(), of: z.int(), name: PassName, message: z.string() }),
  passRefs: z.object({
    gather: ArtifactRef.optional(),
    overview: ArtifactRef.optional(),
    'deep-dive': z.array(ArtifactRef).optional(),
    'cross-reference': ArtifactRef.optional(),
  }),
  usage: z.object({ total: Usage, byPass: z.partialRecord(PassName, Usage) }),
});

/** What the server knows of a run without asking a worker. */
export interface DescribedRun {
  runId: string;
  isRunning: boolean;
  memo: RunMemo;
  startedAt: Date;
  closedAt: Date | null;
}

type RunInfo = Pick<WorkflowExecutionInfo, 'workflowId' | 'status' | 'memo' | 'startTime' | 'closeTime'>;

/** The memo that a run starts with, before a worker has taken it up. */
export function firstMemo(question: string, startedAt: Date, sources: number): RunMemo {
  const message = passMessage('gather', { sources, inFull: sources });
  return {
    question,
    startedAt: startedAt.toISOString(),
    status: 'queued',
    pass: { number: 0, of: PASS_NAMES.length - 1, name: 'gather', message },
    passRefs: {},
    usage: { total: NO_USAGE, byPass: {} },
  };
}

/** Rejects with `RunNotFoundError` where the server knows no run of the id. */
export async function describeRun(client: Client, runId: string): Promise<DescribedRun> {
  try {
    return describedRun(await client.workflow.getHandle(runId).describe());
  } catch (error) {
    throw error instanceof WorkflowNotFoundError ? new RunNotFoundError(runId) : error;
  }
}

/** As `describeRun`, null where there is no such run. */
export async function findRun(client: Client, runId: string): Promise<DescribedRun | null> {
  try {
    return await describeRun(client, runId);
  } catch (error) {
    if (error instanceof RunNotFoundError) return null;
    throw error;
  }
}

export function describedRun(info: RunInfo): DescribedRun {
  const parsed = MemoOfRun.safeParse(info.memo ?? {});
  const memo = parsed.data ?? firstMemo('', info.startTime, 0);
  return {
    runId: info.workflowId,
    isRunning: info.status.name === 'RUNNING',
    memo: { ...memo, status: statusOf(info.status.name, memo.status) },
    startedAt: new Date(memo.startedAt),
    closedAt: info.closeTime ?? null,
  };
}

/** The run's own word, unless the server knows better. */
function statusOf(execution: WorkflowExecutionInfo['status']['name'], told: RunStatus): RunStatus {
  switch (execution) {
    case 'COMPLETED':
      return told === 'partial' ? 'partial' : 'completed';
    case 'CANCELLED':
      return 'cancelled';
    case 'FAILED':
    case 'TERMINATED':
    case 'TIMED_OUT':
      return 'failed';
    default:
      return told;
  }
}
