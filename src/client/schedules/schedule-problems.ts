import { z } from 'zod';
import { ScheduleName } from '../../contracts/schedule/scheduled-start';
import { cronProblem } from '../../core/schedule/cron-problem';
import { shapeProblems } from '../../core/shapes/shape-problems';
import { isRecord } from '../../core/values/is-record';
import { durationText, LONGEST_DURATION_MS } from '../../core/values/durations';
import { toldValue } from '../../core/values/told-value';
import { OVERLAPS, type ScheduleRequest, type ScheduleTimes } from './schedule-request';

/** The server takes no shorter ones. */
const LEAST_INTERVAL_MS = 1_000;
const LEAST_CATCH_UP_MS = 10_000;

/** Of times by cron, which have no one interval. */
const MOST_CRON_JITTER_MS = 2_419_200_000;

/** Numbers are looked at below, where they are told as durations. */
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

/** A firing that may come behind the next one has no time of its own any more. */
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

/** What has no whole seconds is told as it was given. */
function toldDuration(ms: number): string {
  return Number.isSafeInteger(ms) && ms >= 0 && ms % 1_000 === 0 ? durationText(ms) : `${toldValue(ms)} ms`;
}

/** The server knows names alone, and no offsets. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false; // it throws a RangeError for names that it does not know
  }
}
