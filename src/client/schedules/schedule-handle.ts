import {
  type Client,
  type ScheduleDescription,
  type ScheduleHandle as ServerHandle,
  ScheduleNotFoundError as UnknownSchedule,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { FiringMemo } from '../../contracts/schedule/scheduled-start';
import { firingId } from '../../core/schedule/schedule-names';
import type { ContentStore } from '../../stores/content-store';
import type { EventLog } from '../../stores/event-log';
import { ScheduleNotFoundError } from './schedule-errors';
import { NO_NOTE, notedOf, ScheduleMemo } from './schedule-memo';
import { isScheduleName } from './schedule-problems';
import type { DescribedSchedule, Firing, ScheduleHandle } from './schedule-request';
import { overlapOf } from './server-terms';

const FIRINGS_TOLD = 10;
/** The name of `forgetSignal` (src/workflows/scheduled/messages.ts). */
const FORGET = 'forget';

export interface ScheduleHandleRecords {
  client: Client;
  content: ContentStore;
  events: EventLog;
}

export function createScheduleHandle(records: ScheduleHandleRecords, name: string): ScheduleHandle {
  const { client } = records;

  async function onServer<Result>(act: (handle: ServerHandle) => Promise<Result>): Promise<Result> {
    // Nor is the server asked: what it says of a long one is too long for its client, which then waits for ever.
    if (!isScheduleName(name)) throw new ScheduleNotFoundError(name);
    try {
      return await act(client.schedule.getHandle(name));
    } catch (error) {
      if (error instanceof UnknownSchedule) throw new ScheduleNotFoundError(name);
      throw error;
    }
  }

  async function described(): Promise<{ description: ScheduleDescription; memo: ScheduleMemo }> {
    const description = await onServer((handle) => handle.describe());
    const memo = ScheduleMemo.safeParse(description.memo).data;
    // What others have scheduled on the same server is none of ours.
    if (memo === undefined) throw new ScheduleNotFoundError(name);
    return { description, memo };
  }

  /** What is noted of it stays, where nothing else is said; the SDK would put a note of its own there. */
  const turn = async (how: 'pause' | 'unpause', note: string | undefined): Promise<void> => {
    const { description } = await described();
    await onServer((handle) => handle[how](note ?? notedOf(description.state.note) ?? NO_NOTE));
  };

  return {
    name,
    async describe() {
      const { description, memo } = await described();
      return { ...toldOf(name, description, memo), firings: await firingsOf(client, name) };
    },
    pause: (note) => turn('pause', note),
    resume: (note) => turn('unpause', note),
    async trigger() {
      const { description } = await described();
      await onServer((handle) => handle.trigger(description.policies.overlap));
    },
    async delete() {
      const { description, memo } = await described();
      await onServer((handle) => handle.delete());
      for (const { workflow } of description.info.runningActions) await forget(client, workflow.workflowId);
      await letGo(records, memo.keptAs);
    },
  };
}

function toldOf(
  name: string,
  { policies, state, info }: ScheduleDescription,
  { keptAs: _name, ...memo }: ScheduleMemo,
): Omit<DescribedSchedule, 'firings'> {
  return {
    name,
    ...memo,
    paused: state.paused,
    note: notedOf(state.note),
    next: info.nextActionTimes.map((time) => time.toISOString()),
    overlap: overlapOf(policies.overlap),
    catchUpMs: policies.catchupWindow,
    createdAt: info.createdAt.toISOString(),
    counts: {
      fired: info.numActionsTaken,
      skipped: info.numActionsSkippedOverlap,
      missed: info.numActionsMissedCatchupWindow,
    },
  };
}

/** Latest first, as far as the server remembers them. */
async function firingsOf(client: Client, name: string): Promise<Firing[]> {
  const firings: Firing[] = [];
  // The name has no signs that mean something in a query.
  const query = `WorkflowType = "scheduled" AND TemporalScheduledById = "${name}"`;
  for await (const { workflowId, memo, status, startTime } of client.workflow.list({ query })) {
    if (!workflowId.startsWith(firingId(name))) continue;
    const told = FiringMemo.safeParse(memo?.['firing']).data;
    firings.push({
      runId: told?.runId ?? '',
      status: status.name === 'TERMINATED' ? 'failed' : (told?.status ?? 'finding'),
      at: startTime.toISOString(),
      ...(told?.problem === undefined ? {} : { problem: told.problem }),
    });
  }
  return firings.sort((one, other) => (one.at < other.at ? 1 : -1)).slice(0, FIRINGS_TOLD);
}

/** Its run goes on; one that has ended meanwhile has kept its result, which is let go of next. */
async function forget(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal(FORGET);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

async function letGo({ content, events }: ScheduleHandleRecords, keptAs: string): Promise<void> {
  for (const event of await events.read(keptAs))
    if (event.type === 'scheduled-run') await content.clearRun(`${keptAs}:${event.payload.runId}`);
  await events.clearRun(keptAs);
  await content.clearRun(keptAs);
}
