import { randomBytes } from 'node:crypto';
import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers';
import { RunKind, RunMemo, type RunStatus } from '../contracts/run';
import { firstMemo } from '../contracts/run-protocol';
import type { Pages } from '../sources/pages';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import type { DerivedStore, ResponseCache } from '../stores/stores';
import { PayloadKeyError, RunNotFoundError, RunStillRunningError } from './client-errors';

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

const UNREADABLE = '(encrypted with a key that is not here)';

export interface RunRecords {
  client: Client;
  events: EventLog;
}

export interface ImportRecords {
  content: ContentStore;
  /** Absent where addresses are not read. */
  pages?: Pages | undefined;
  /** The absolute folder from which relative paths start; this process's where it is absent. */
  cwd?: string | undefined;
}

export interface StartRecords extends RunRecords, ImportRecords {
  taskQueue: string;
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
    const record = await describeRecord(client, runId);
    // Schedules, webhooks and the server's own workflows are no runs.
    if (!RunKind.safeParse(record.type).success) return null;
    const described = describedRun(record);
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
  if (isRunning || !hasBegun) return false;
  return (await events.read(runId, { limit: 1 })).length === 0;
}

export function describedRun(info: ServerRecord): DescribedRun {
  const parsed = RunMemo.safeParse(info.memo ?? {});
  const kind = RunKind.safeParse(info.type).data ?? 'report';
  const memo =
    parsed.data ?? firstMemo(kind, info.memo === null ? UNREADABLE : '', info.startTime, { sources: 0 });
  const hasBegun = memo.status !== 'queued';
  return {
    runId: info.workflowId,
    kind,
    historyId: info.runId,
    isRunning: info.status.name === 'RUNNING',
    hasBegun,
    memo: { ...memo, status: statusOf(info.status.name, memo.status) },
    // Whoever asked for it has another clock than the server, by which the run goes once it has begun: in a list it must not move.
    startedAt: hasBegun ? new Date(memo.startedAt) : info.startTime,
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

/** What the server knows of a history. The memo is null where it is encrypted with a key that is not here. */
type ServerRecord = Omit<WorkflowExecutionInfo, 'memo' | 'raw'> & {
  memo?: WorkflowExecutionInfo['memo'] | null;
  unreadable?: PayloadKeyError;
};

type RawInfo = Parameters<typeof executionInfoFromRaw>[0];

const PAGE_SIZE = 200;

/** Rejects with `WorkflowNotFoundError`, as a handle's `describe` does, where the server knows none of the id. */
async function describeRecord(client: Client, workflowId: string): Promise<ServerRecord> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (!(error instanceof PayloadKeyError)) throw error;
    const { workflowExecutionInfo } = await client.workflowService.describeWorkflowExecution({
      namespace: client.options.namespace,
      execution: { workflowId },
    });
    if (!workflowExecutionInfo) throw error;
    return { ...(await withoutMemo(client, workflowExecutionInfo)), unreadable: error };
  }
}

/** Lists lag behind, and one memo that cannot be read does not end them. */
export async function* listRecords(client: Client, query: string): AsyncGenerator<ServerRecord> {
  const { namespace, loadedDataConverter } = client.options;
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService.listWorkflowExecutions({
      namespace,
      query,
      nextPageToken,
      pageSize: PAGE_SIZE,
    });
    for (const raw of page.executions) {
      const read = executionInfoFromRaw(raw, loadedDataConverter, undefined, namespace);
      yield await read.catch(async (error: unknown) => {
        if (!(error instanceof PayloadKeyError)) throw error;
        return { ...(await withoutMemo(client, raw)), unreadable: error };
      });
    }
    ({ nextPageToken } = page);
  } while (nextPageToken.length > 0);
}

async function withoutMemo(client: Client, raw: RawInfo): Promise<ServerRecord> {
  const { namespace, loadedDataConverter } = client.options;
  // A copy would lack what the message has from its prototype.
  const unread = Object.assign(Object.create(raw) as RawInfo, { memo: null });
  const info = await executionInfoFromRaw(unread, loadedDataConverter, undefined, namespace);
  return { ...info, memo: null };
}

/** Finds the workflows of runs, whatever kind they are: a kind's name is its workflow's. */
export function ofEveryKind(): string {
  return `WorkflowType IN (${RunKind.options.map((kind) => `"${kind}"`).join(', ')})`;
}

/** Sorts by time. Nobody guesses its 64 random bits. */
export function newRunId(kind: 'report' | 'brief' | 'answer' | 'import', now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${kind}-${time}-${randomBytes(8).toString('hex')}`;
}

export interface DeletionRecords extends RunRecords {
  content: ContentStore;
  responses?: ResponseCache;
  derived?: DerivedStore;
}

/**
 * Deletes a closed run. Its events go last: by them it is found again where somebody was stopped in between, although the
 * server has forgotten it by then. A run that has none is found by the server, and goes from there last. So does an import,
 * which is no run and only holds content.
 */
export async function deleteRun(records: DeletionRecords, runId: string): Promise<void> {
  const { client, events } = records;
  const [begun] = await events.read(runId, { limit: 1 });
  const described = await findRun(records, runId);
  if (described?.isRunning) throw new RunStillRunningError(runId);
  const histories = await historiesOf(records, runId, described?.historyId);
  const deleteHistories = async (): Promise<void> => {
    const { namespace } = client.options;
    for (const history of histories) {
      const workflowExecution = { workflowId: runId, runId: history };
      await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
    }
  };
  if (begun !== undefined) {
    await deleteHistories();
    await releaseContents(records, runId);
    // A log that was begun since then is another run's.
    await events.clearRun(runId, { begunAt: begun.at });
    return;
  }
  const held = await releaseContents(records, runId);
  if (described === null && held === 0) throw new RunNotFoundError(runId);
  await deleteHistories();
}

/** Lists lag behind, so the latest history is taken from the description. */
async function historiesOf(
  { client }: DeletionRecords,
  runId: string,
  latest: string | undefined,
): Promise<Set<string>> {
  const histories = new Set(latest === undefined ? [] : [latest]);
  for await (const { workflowId, runId: history, status } of listRecords(client, queryFor(runId))) {
    if (workflowId !== runId) continue;
    // Somebody has run the id again since it was looked at. The latest is known to have ended, whatever the list says.
    if (status.name === 'RUNNING' && history !== latest) throw new RunStillRunningError(runId);
    histories.add(history);
  }
  return histories;
}

/** Resolves with how much the run had. */
async function releaseContents(
  { content, responses, derived }: DeletionRecords,
  runId: string,
): Promise<number> {
  let held = 0;
  for (const store of [content, responses, derived]) {
    if (store === undefined) continue;
    held += await store.clearRun(runId);
  }
  return held;
}

/**
 * Finds the histories of an id, among others where it has quotes or backslashes: what becomes of those in a query depends
 * on the database behind the server.
 */
function queryFor(runId: string): string {
  return /["'\\]/.test(runId) ? ofEveryKind() : `WorkflowId = "${runId}"`;
}

export interface EndedRun {
  runId: string;
  /** ISO 8601; of what the server has forgotten, the time of its last event. */
  endedAt: string;
}

const EVENTS_A_PAGE = 500;

/**
 * What ended before a time: first what the server lists, a run without events included, then what it has forgotten, by the
 * last event. A run on another task queue is somebody else's, and one that goes on anywhere on this server is left alone.
 */
export async function* endedBefore(
  records: RunRecords & { taskQueue: string },
  before: Date,
): AsyncGenerator<EndedRun> {
  const { client, events, taskQueue } = records;
  const told = new Set<string>();
  const query = `${ofEveryKind()} AND CloseTime < "${before.toISOString()}"`;
  for await (const { workflowId: runId } of listRecords(client, query)) {
    if (told.has(runId)) continue;
    told.add(runId);
    const run = await findRun(records, runId); // of an id that was run again, the latest counts
    if (run === null || run.isRunning || run.taskQueue !== taskQueue) continue;
    if (run.closedAt !== null && run.closedAt < before) yield { runId, endedAt: run.closedAt.toISOString() };
  }
  for (const runId of await events.runs()) {
    if (told.has(runId)) continue;
    const [first] = await events.read(runId, { limit: 1 });
    if (first === undefined || new Date(first.at) >= before) continue;
    // What a schedule remembers is no run, and goes with the schedule.
    if (first.type === 'scheduled-run') continue;
    // The server's list is behind, or does not have the run any more.
    const run = await findRun(records, runId);
    if (run !== null && (run.isRunning || run.taskQueue !== taskQueue)) continue;
    const endedAt = run === null ? await lastTime(events, runId) : run.closedAt;
    if (endedAt !== null && endedAt < before) yield { runId, endedAt: endedAt.toISOString() };
  }
}

async function lastTime(events: EventLog, runId: string): Promise<Date | null> {
  let after = 0;
  let at: string | null = null;
  for (;;) {
    const page = await events.read(runId, { after, limit: EVENTS_A_PAGE });
    const last = page.at(-1);
    if (last !== undefined) ({ number: after, at } = last);
    if (page.length < EVENTS_A_PAGE) return at === null ? null : new Date(at);
  }
}
