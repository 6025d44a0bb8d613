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
import { cronProblem, firingWorkflowId, formatDuration, MAX_DURATION_MS } from '../contracts/schedule';
import { FiringMemo, ScheduleName } from '../contracts/start';
import { formatValue, isRecord } from '../lib/json';
import { schemaProblemTexts } from '../lib/validation';
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

const MAX_FIRINGS = 10;
/** Name of the workflow's `forgetSignal`. */
const FORGET_SIGNAL = 'forget';

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
    await onServer((handle) => handle[how](note ?? parseNote(description.state.note) ?? NO_NOTE));
  };

  return {
    name,
    async describe() {
      const { description, memo } = await described();
      return { ...toScheduleDescription(name, description, memo), firings: await listFirings(client, name) };
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
      for (const { workflow } of description.info.runningActions)
        await signalForget(client, workflow.workflowId);
      await releaseSchedule(records, memo.keptAs);
    },
  };
}

function toScheduleDescription(
  name: string,
  { policies, state, info }: ScheduleDescription,
  { keptAs: _name, ...memo }: ScheduleMemo,
): Omit<DescribedSchedule, 'firings'> {
  return {
    name,
    ...memo,
    paused: state.paused,
    note: parseNote(state.note),
    next: info.nextActionTimes.map((time) => time.toISOString()),
    overlap: fromOverlapPolicy(policies.overlap),
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
async function listFirings(client: Client, name: string): Promise<Firing[]> {
  const firings: Firing[] = [];
  // The name needs no escaping in a query.
  const query = `WorkflowType = "scheduled" AND TemporalScheduledById = "${name}"`;
  for await (const { workflowId, memo, status, startTime } of client.workflow.list({ query })) {
    if (!workflowId.startsWith(firingWorkflowId(name))) continue;
    const told = FiringMemo.safeParse(memo?.['firing']).data;
    firings.push({
      runId: told?.runId ?? '',
      status: status.name === 'TERMINATED' ? 'failed' : (told?.status ?? 'finding'),
      at: startTime.toISOString(),
      ...(told?.problem === undefined ? {} : { problem: told.problem }),
    });
  }
  return firings.sort((one, other) => (one.at < other.at ? 1 : -1)).slice(0, MAX_FIRINGS);
}

/** The run continues without storing its result for the schedule. Results that are already stored are released afterwards. */
async function signalForget(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal(FORGET_SIGNAL);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

async function releaseSchedule({ content, events }: ScheduleHandleRecords, keptAs: string): Promise<void> {
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
export function parseNote(note: string | undefined): string | null {
  return note === undefined || note === '' || note === NO_NOTE ? null : note;
}

const OVERLAP_POLICIES: Record<Overlap, ScheduleOverlapPolicy> = {
  skip: 'SKIP',
  'buffer-one': 'BUFFER_ONE',
  'buffer-all': 'BUFFER_ALL',
  'cancel-other': 'CANCEL_OTHER',
  'allow-all': 'ALLOW_ALL',
};

export function toOverlapPolicy(overlap: Overlap): ScheduleOverlapPolicy {
  return OVERLAP_POLICIES[overlap];
}

/** Somebody may have set a policy that the client does not offer. `skip` is the nearest. */
function fromOverlapPolicy(policy: ScheduleOverlapPolicy): Overlap {
  return OVERLAPS.find((overlap) => OVERLAP_POLICIES[overlap] === policy) ?? 'skip';
}

export function toScheduleSpec(times: ScheduleMemo['times'], jitterMs: number): ScheduleSpec {
  const jitter = jitterMs === 0 ? {} : { jitter: jitterMs };
  return 'everyMs' in times
    ? { intervals: [{ every: times.everyMs }], ...jitter }
    : { cronExpressions: [times.cron], timezone: times.timeZone, ...jitter };
}

/** Minimums of the server. */
const MIN_INTERVAL_MS = 1_000;
const MIN_CATCH_UP_MS = 10_000;

/** 28 days. Cron times have no single interval to limit the jitter. */
const MAX_CRON_JITTER_MS = 2_419_200_000;

/** Numbers are validated below, with messages in durations. */
const ScheduleRules = z.object({
  name: z.string(),
  times: z.custom(isTimes).describe('{ cron, timeZone } or { everyMs }'),
  overlap: z.enum(OVERLAPS).describe(OVERLAPS.join(', ')).optional(),
  note: z.string().max(4_000).optional(),
});

export function isScheduleName(name: string): boolean {
  return ScheduleName.safeParse(name).success;
}

export function scheduleProblems(request: Omit<ScheduleRequest, 'run'>): string[] {
  const { name, times, overlap, note, catchUpMs = MIN_CATCH_UP_MS, jitterMs = 0 } = request;
  const { shape } = ScheduleRules;
  const wrong = schemaProblemTexts([
    ['name', shape.name, name],
    ['times', shape.times, times],
    ['overlap', shape.overlap, overlap],
    ['note', shape.note, note],
  ]);
  if (wrong.length > 0) return wrong;
  return [
    ...(isScheduleName(name)
      ? []
      : [`name is ${formatValue(name)}; allowed: ${ScheduleName.description ?? ''}`]),
    ...timesProblems(times),
    ...(catchUpMs >= MIN_CATCH_UP_MS && catchUpMs <= MAX_DURATION_MS
      ? []
      : [
          `catch-up is ${formatMilliseconds(catchUpMs)}; allowed: from ${formatDuration(MIN_CATCH_UP_MS)} to ${formatDuration(MAX_DURATION_MS)}`,
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
    ...(problem === null ? [] : [`cron ${formatValue(times.cron)} ${problem}`]),
    ...(times.timeZone === undefined || isTimeZone(times.timeZone)
      ? []
      : [
          `time zone is ${formatValue(times.timeZone)}; allowed: a name of the time zone database, such as Europe/Berlin, or UTC`,
        ]),
  ];
}

function intervalProblems(everyMs: number): string[] {
  return everyMs >= MIN_INTERVAL_MS && everyMs <= MAX_DURATION_MS && everyMs % 1_000 === 0
    ? []
    : [
        `every is ${formatMilliseconds(everyMs)}; allowed: whole seconds from ${formatDuration(MIN_INTERVAL_MS)} to ${formatDuration(MAX_DURATION_MS)}`,
      ];
}

/** Below the interval, so that a firing cannot come after the next one. */
function jitterProblems(jitterMs: number, times: ScheduleTimes): string[] {
  if ('everyMs' in times) {
    if ((jitterMs >= 0 && jitterMs < times.everyMs) || intervalProblems(times.everyMs).length > 0) return [];
    return [
      `jitter is ${formatMilliseconds(jitterMs)}; allowed: from 0s to less than the interval, ${formatDuration(times.everyMs)}`,
    ];
  }
  return jitterMs >= 0 && jitterMs <= MAX_CRON_JITTER_MS
    ? []
    : [
        `jitter is ${formatMilliseconds(jitterMs)}; allowed: from 0s to ${formatDuration(MAX_CRON_JITTER_MS)}`,
      ];
}

/** Values that are not whole seconds are shown as given. */
function formatMilliseconds(ms: number): string {
  return Number.isSafeInteger(ms) && ms >= 0 && ms % 1_000 === 0
    ? formatDuration(ms)
    : `${formatValue(ms)} ms`;
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
