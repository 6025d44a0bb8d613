import {
  type Client,
  type ScheduleDescription,
  type ScheduleHandle as ServerHandle,
  ScheduleNotFoundError as UnknownSchedule,
  type ScheduleOverlapPolicy,
  type ScheduleSpec,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { z } from 'zod';
import { RunKind } from '../contracts/run';
import { cronProblem, durationText, firingId, LONGEST_DURATION_MS } from '../contracts/schedule';
import { FiringMemo, ScheduleName } from '../contracts/start';
import { isRecord, toldValue } from '../lib/json';
import { shapeProblems } from '../lib/validation';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import { ScheduleNotFoundError } from './client-errors';
import {
  type DescribedSchedule,
  type Firing,
  type Overlap,
  OVERLAPS,
  type ScheduleHandle,
  type ScheduleRequest,
  type ScheduleTimes,
} from './run-requests';

const FIRINGS_TOLD = 10;
/** Name of the workflow's `forgetSignal`. */
const FORGET = 'forget';

export interface ScheduleHandleRecords {
  client: Client;
  content: ContentStore;
  events: EventLog;
}

export function createScheduleHandle(records: ScheduleHandleRecords, name: string): ScheduleHandle {
  const { client } = records;

  async function onServer<Result>(act: (handle: ServerHandle) => Promise<Result>): Promise<Result> {
    // The server's error for an overlong name is too long for its client, which then waits for ever.
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
    // A schedule of another application on the same server.
    if (memo === undefined) throw new ScheduleNotFoundError(name);
    return { description, memo };
  }

  /** Without a new note the current one stays; otherwise the SDK would write its own. */
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

/** Latest first; only those that the server still knows. */
async function firingsOf(client: Client, name: string): Promise<Firing[]> {
  const firings: Firing[] = [];
  // The name needs no escaping in a query.
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

/** The run continues without storing its result for the schedule. Results that are already stored are released afterwards. */
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

export const ScheduleMemo = z.object({
  kind: RunKind,
  question: z.string(),
  engine: z.string(),
  paths: z.array(z.string()),
  times: z.union([z.object({ cron: z.string(), timeZone: z.string() }), z.object({ everyMs: z.number() })]),
  /** Holder of the schedule's log and contents. */
  keptAs: z.string(),
  owner: z.string().optional(),
});
export type ScheduleMemo = z.infer<typeof ScheduleMemo>;

/** The server rejects empty notes. */
const NO_NOTE = '-';

/** Null if nobody has written a note. */
export function notedOf(note: string | undefined): string | null {
  return note === undefined || note === '' || note === NO_NOTE ? null : note;
}

const POLICIES: Record<Overlap, ScheduleOverlapPolicy> = {
  skip: 'SKIP',
  'buffer-one': 'BUFFER_ONE',
  'buffer-all': 'BUFFER_ALL',
  'cancel-other': 'CANCEL_OTHER',
  'allow-all': 'ALLOW_ALL',
};

export function policyOf(overlap: Overlap): ScheduleOverlapPolicy {
  return POLICIES[overlap];
}

/** Somebody may have set a policy that the client does not offer. `skip` is the nearest. */
function overlapOf(policy: ScheduleOverlapPolicy): Overlap {
  return OVERLAPS.find((overlap) => POLICIES[overlap] === policy) ?? 'skip';
}

export function specOf(times: ScheduleMemo['times'], jitterMs: number): ScheduleSpec {
  const jitter = jitterMs === 0 ? {} : { jitter: jitterMs };
  return 'everyMs' in times
    ? { intervals: [{ every: times.everyMs }], ...jitter }
    : { cronExpressions: [times.cron], timezone: times.timeZone, ...jitter };
}

/** Minimums of the server. */
const LEAST_INTERVAL_MS = 1_000;
const LEAST_CATCH_UP_MS = 10_000;

/** 28 days. Cron times have no single interval to limit the jitter. */
const MOST_CRON_JITTER_MS = 2_419_200_000;

/** Numbers are validated below, with messages in durations. */
const Rules = z.object({
  name: z.string(),
  times: z.custom(isTimes).describe('{ cron, timeZone } or { everyMs }'),
  overlap: z.enum(OVERLAPS).describe(OVERLAPS.join(', ')).optional(),
  note: z.string().max(4_000).optional(),
});

export function isScheduleName(name: string): boolean {
  return ScheduleName.safeParse(name).success;
}

export function scheduleProblems(request: Omit<ScheduleRequest, 'run'>): string[] {
  const { name, times, overlap, note, catchUpMs = LEAST_CATCH_UP_MS, jitterMs = 0 } = request;
  const { shape } = Rules;
  const wrong = shapeProblems([
    ['name', shape.name, name],
    ['times', shape.times, times],
    ['overlap', shape.overlap, overlap],
    ['note', shape.note, note],
  ]);
  if (wrong.length > 0) return wrong;
  return [
    ...(isScheduleName(name)
      ? []
      : [`name is ${toldValue(name)}; allowed: ${ScheduleName.description ?? ''}`]),
    ...timesProblems(times),
    ...(catchUpMs >= LEAST_CATCH_UP_MS && catchUpMs <= LONGEST_DURATION_MS
      ? []
      : [
          `catch-up is ${toldDuration(catchUpMs)}; allowed: from ${durationText(LEAST_CATCH_UP_MS)} to ${durationText(LONGEST_DURATION_MS)}`,
        ]),
    ...jitterProblems(jitterMs, times),
  ];
}

function isTimes(times: unknown): boolean {
  return isRecord(times) && (typeof times['everyMs'] === 'number' || typeof times['cron'] === 'string');
}

function timesProblems(times: ScheduleTimes): string[] {
  if ('everyMs' in times) return intervalProblems(times.everyMs);
  const problem = cronProblem(times.cron);
  return [
    ...(problem === null ? [] : [`cron ${toldValue(times.cron)} ${problem}`]),
    ...(times.timeZone === undefined || isTimeZone(times.timeZone)
      ? []
      : [
          `time zone is ${toldValue(times.timeZone)}; allowed: a name of the time zone database, such as Europe/Berlin, or UTC`,
        ]),
  ];
}

function intervalProblems(everyMs: number): string[] {
  return everyMs >= LEAST_INTERVAL_MS && everyMs <= LONGEST_DURATION_MS && everyMs % 1_000 === 0
    ? []
    : [
        `every is ${toldDuration(everyMs)}; allowed: whole seconds from ${durationText(LEAST_INTERVAL_MS)} to ${durationText(LONGEST_DURATION_MS)}`,
      ];
}

/** Below the interval, so that a firing cannot come after the next one. */
function jitterProblems(jitterMs: number, times: ScheduleTimes): string[] {
  if ('everyMs' in times) {
    if ((jitterMs >= 0 && jitterMs < times.everyMs) || intervalProblems(times.everyMs).length > 0) return [];
    return [
      `jitter is ${toldDuration(jitterMs)}; allowed: from 0s to less than the interval, ${durationText(times.everyMs)}`,
    ];
  }
  return jitterMs >= 0 && jitterMs <= MOST_CRON_JITTER_MS
    ? []
    : [`jitter is ${toldDuration(jitterMs)}; allowed: from 0s to ${durationText(MOST_CRON_JITTER_MS)}`];
}

/** Values that are not whole seconds are shown as given. */
function toldDuration(ms: number): string {
  return Number.isSafeInteger(ms) && ms >= 0 && ms % 1_000 === 0 ? durationText(ms) : `${toldValue(ms)} ms`;
}

/** The server accepts names only, no offsets. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false; // RangeError: unknown name
  }
}
