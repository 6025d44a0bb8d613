import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { BRIEF_PASSES } from '../contracts/brief/passes';
import { RunKind } from '../contracts/kinds';
import type { RunStatus } from '../contracts/run/run';
import { RunMemo } from '../contracts/run/run-messages';
import { briefMessage } from '../core/run/brief-messages';
import { PASS_NAMES, passMessage } from '../core/run/pass-messages';
import { NO_USAGE } from '../core/budget/usage';
import type { EventLog } from '../stores/event-log';
import { RunNotFoundError } from './run-errors';
import { describeRecord, type ServerRecord } from './server-records';
import type { PayloadKeyError } from '../temporal/payloads/payload-key-error';

/** What the server knows of a run without asking a worker. */
export interface DescribedRun {
  runId: string;
  /** Its workflow's name. */
  kind: RunKind;
  /** The server's own id of the run's latest history. */
  historyId: string;
  isRunning: boolean;
  /** True once a worker has taken it up. */
  hasBegun: boolean;
  memo: RunMemo;
  startedAt: Date;
  closedAt: Date | null;
  taskQueue: string;
  /** Why the memo is not the run's own; null where it is. */
  unreadable: PayloadKeyError | null;
}

/** What is said of an answer before a worker has taken it up. */
const ANSWERING = 'Answering…';

/** What a run is listed with whose memo is encrypted with a key that is not here. */
const UNREADABLE = '(encrypted with a key that is not here)';

/** How much a run is given, as far as that is known. */
export interface GivenCounts {
  sources: number;
  /** Of a brief. */
  subtopics?: number;
}

/** The memo that a run starts with, before a worker has taken it up. */
export function firstMemo(kind: RunKind, question: string, startedAt: Date, given: GivenCounts): RunMemo {
  const pass = firstPass(kind, given);
  return {
    question,
    startedAt: startedAt.toISOString(),
    status: 'queued',
    pass,
    passRefs: {},
    usage: { total: NO_USAGE, byPass: {} },
  };
}

function firstPass(kind: RunKind, { sources, subtopics }: GivenCounts): RunMemo['pass'] {
  switch (kind) {
    case 'answer':
      return { number: 0, of: 0, name: 'answer', message: ANSWERING };
    case 'brief':
      return {
        number: 0,
        of: BRIEF_PASSES.length - 1,
        name: BRIEF_PASSES[0],
        message: briefMessage('gather', {
          subtopics: subtopics ?? null,
          checked: null,
          parts: null,
          judging: { doing: 'judge', version: 1 },
        }),
      };
    case 'report':
      return {
        number: 0,
        of: PASS_NAMES.length - 1,
        name: PASS_NAMES[0],
        message: passMessage('gather', { sources, inFull: sources }),
      };
  }
}

/** The server, and what is kept beside it. */
export interface RunRecords {
  client: Client;
  events: EventLog;
}

/** Rejects with `RunNotFoundError` where there is no run of the id, and with `PayloadKeyError` where what is known of it cannot be read. */
export async function describeRun(records: RunRecords, runId: string): Promise<DescribedRun> {
  const described = await findRun(records, runId);
  if (described === null) throw new RunNotFoundError(runId);
  if (described.unreadable !== null) throw described.unreadable;
  return described;
}

/** As `describeRun`, null where there is no such run. */
export async function findRun({ client, events }: RunRecords, runId: string): Promise<DescribedRun | null> {
  try {
    const described = describedRun(await describeRecord(client, runId));
    return (await isDeleted(events, described)) ? null : described;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** The server takes up to half a minute to delete a run, and shows it meanwhile; its events are gone at once. */
export async function isDeleted(
  events: EventLog,
  { runId, isRunning, hasBegun }: DescribedRun,
): Promise<boolean> {
  return !isRunning && hasBegun && (await events.read(runId, { limit: 1 })).length === 0;
}

export function describedRun(info: ServerRecord): DescribedRun {
  const parsed = RunMemo.safeParse(info.memo ?? {});
  const kind = RunKind.safeParse(info.type).data ?? 'report';
  const memo =
    parsed.data ?? firstMemo(kind, info.memo === null ? UNREADABLE : '', info.startTime, { sources: 0 });
  return {
    runId: info.workflowId,
    kind,
    historyId: info.runId,
    isRunning: info.status.name === 'RUNNING',
    hasBegun: memo.status !== 'queued',
    memo: { ...memo, status: statusOf(info.status.name, memo.status) },
    startedAt: new Date(memo.startedAt),
    closedAt: info.closeTime ?? null,
    taskQueue: info.taskQueue,
    unreadable: info.unreadable ?? null,
  };
}

/** The run's own word, unless the server knows better. */
function statusOf(execution: ServerRecord['status']['name'], told: RunStatus): RunStatus {
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
