import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { RunBench } from '../../support/run-bench';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type StartRequest = temporal.api.workflowservice.v1.IStartWorkflowExecutionRequest;
const { EventType, WorkflowTaskFailedCause } = temporal.api.enums.v1;
const { UpdateWorkflowExecutionLifecycleStage } = temporal.api.enums.v1;

/** What became of an execution; it is looked at until it is closed, or until one of its workflow tasks has failed. */
export interface Ended {
  /** Why a workflow task failed, or that it ran out of time again and again; null where none did. */
  failedTask: string | null;
  /** How often a workflow task ran out of time; where the machine is slow or taken, the server does it again. */
  timeouts: number;
  /** `completed`, `failed` and so on; null where a task has failed before. */
  by: string | null;
  /** Of its failure. */
  type: string;
  message: string;
  /** The names of what was begun for it. */
  activities: string[];
  /** The execution that comes behind it in its chain. */
  next: string | null;
}

/** What came while a task was done, or too much of it, has the server do the task again: that is in order. */
const OVERTAKEN: readonly number[] = [
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
];

/** What ran out of time so often would not end on an idle machine either. */
const ENDLESS = 4;
/** What Node says of a task that the SDK ends because it holds its thread for too long. */
const HELD_UP = /^Script execution timed out after /;

const PAGE = 25;
/** Of rubbish a page is as large as what was sent; gRPC itself reads 4 MB. */
const MOST_BYTES = 128 * 1024 * 1024;

/** Sends what no client of ours would, as it is. */
export interface Doors {
  start(type: string, id: string, args: readonly Payload[], more?: StartRequest): Promise<void>;
  signal(id: string, name: string, args: readonly Payload[]): Promise<void>;
  /** What the answer was: `refused: …` where it was refused, and what the server says where that refuses it. */
  update(id: string, name: string, args: readonly Payload[]): Promise<string>;
  query(id: string, name: string, args: readonly Payload[]): Promise<string>;
  /** Looks at the history of an execution, of the latest one of the id where none is named. */
  ended(id: string, firstExecution?: string): Promise<Ended>;
  /** What the latest execution of the id was started with. */
  started(id: string): Promise<temporal.api.history.v1.IWorkflowExecutionStartedEventAttributes>;
  /** Ends what was let be. */
  terminate(id: string): Promise<void>;
  close(): Promise<void>;
}

const CLOSES: ReadonlyMap<number, string> = new Map([
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED, 'completed'],
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED, 'failed'],
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT, 'timed out'],
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED, 'cancelled'],
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED, 'terminated'],
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW, 'continued'],
]);

export function doorsOf({ client, config, target }: Pick<RunBench, 'client' | 'config' | 'target'>): Doors {
  const connection = Connection.lazy({
    address: target.address,
    channelArgs: { 'grpc.max_receive_message_length': MOST_BYTES },
  });
  const service = connection.workflowService;
  const { namespace } = config.temporal;
  const identity = 'a stranger';
  const taskQueue = { name: config.temporal.taskQueue };
  const of = (id: string) => ({ namespace, workflowExecution: { workflowId: id } });
  return {
    async start(type, id, args, more = {}) {
      await service.startWorkflowExecution({
        namespace,
        identity,
        taskQueue,
        workflowId: id,
        requestId: randomUUID(),
        workflowType: { name: type },
        input: { payloads: [...args] },
        ...more,
      });
    },
    async signal(id, name, args) {
      const requestId = randomUUID();
      const input = { payloads: [...args] };
      await service.signalWorkflowExecution({ ...of(id), identity, signalName: name, requestId, input });
    },
    async update(id, name, args) {
      try {
        const { outcome } = await service.updateWorkflowExecution({
          ...of(id),
          waitPolicy: {
            lifecycleStage:
              UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED,
          },
          request: {
            meta: { identity, updateId: randomUUID() },
            input: { name, args: { payloads: [...args] } },
          },
        });
        if (outcome?.failure) return `refused: ${outcome.failure.message ?? ''}`;
        return `answered: ${textOf(outcome?.success?.payloads?.[0])}`;
      } catch (error) {
        return `not taken: ${messageOf(error)}`;
      }
    },
    async query(id, name, args) {
      try {
        const { queryResult } = await service.queryWorkflow({
          namespace,
          execution: { workflowId: id },
          query: { queryType: name, queryArgs: { payloads: [...args] } },
        });
        return `answered: ${textOf(queryResult?.payloads?.[0])}`;
      } catch (error) {
        return `refused: ${messageOf(error)}`;
      }
    },
    async ended(id, firstExecution) {
      const ended: Ended = {
        failedTask: null,
        timeouts: 0,
        by: null,
        type: '',
        message: '',
        activities: [],
        next: null,
      };
      let nextPageToken: Uint8Array | undefined;
      const execution = { workflowId: id, runId: firstExecution ?? '' };
      while (ended.failedTask === null && ended.by === null) {
        const page = await service.getWorkflowExecutionHistory({
          namespace,
          execution,
          waitNewEvent: true,
          maximumPageSize: PAGE,
          ...(nextPageToken === undefined ? {} : { nextPageToken }),
        });
        for (const event of page.history?.events ?? []) take(ended, event);
        nextPageToken = page.nextPageToken;
        if (nextPageToken.length === 0) break;
      }
      return ended;
    },
    async started(id) {
      const { events } = await client.workflow.getHandle(id).fetchHistory();
      return events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
    },
    async terminate(id) {
      await client.workflow.getHandle(id).terminate();
    },
    close: () => connection.close(),
  };
}

function take(ended: Ended, event: HistoryEvent): void {
  const type = event.eventType ?? EventType.EVENT_TYPE_UNSPECIFIED;
  const { workflowTaskFailedEventAttributes: failed, workflowExecutionFailedEventAttributes: closed } = event;
  const isOvertaken = failed !== null && failed !== undefined && OVERTAKEN.includes(failed.cause ?? 0);
  const isHeldUp = HELD_UP.test(failed?.failure?.message ?? '');
  if (failed && !isOvertaken && !isHeldUp)
    ended.failedTask ??= failed.failure?.message ?? `cause ${failed.cause ?? 0}`;
  if (isHeldUp || type === EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT) ended.timeouts += 1;
  if (ended.timeouts === ENDLESS) ended.failedTask ??= 'it ran out of time';
  const activity = event.activityTaskScheduledEventAttributes?.activityType?.name;
  if (activity) ended.activities.push(activity);
  const by = CLOSES.get(type);
  if (by === undefined) return;
  ended.by = by;
  ended.next = (closed ?? event.workflowExecutionContinuedAsNewEventAttributes)?.newExecutionRunId || null;
  ended.type = closed?.failure?.applicationFailureInfo?.type ?? '';
  ended.message = closed?.failure?.message ?? '';
}

function textOf(payload: Payload | undefined | null): string {
  return Buffer.from(payload?.data ?? []).toString('utf8');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Does so many at once, in their order. */
export async function inBulk<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()];
  const next = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift())
      results[one[0]] = await work(one[1], one[0]);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return results;
}
