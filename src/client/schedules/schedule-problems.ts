import { cronProblem } from '../../core/schedule/cron-problem';
import { durationText } from '../../core/values/durations';
import { OVERLAPS, type ScheduleRequest, type ScheduleTimes } from './schedule-request';

/** The server takes no shorter ones. */
const LEAST_INTERVAL_MS = 1_000;
const LEAST_CATCH_UP_MS = 10_000;

/** What is wrong with a schedule but for its run, as sentences. */
export function scheduleProblems(request: Omit<ScheduleRequest, 'run'>): string[] {
  const { name, times, overlap = 'skip', catchUpMs = LEAST_CATCH_UP_MS, jitterMs = 0 } = request;
  return [
    ...(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)
      ? []
      : [
          `name is ${JSON.stringify(name)}; allowed: 1 to 100 letters, digits, dots, dashes and underscores, the first of them a letter or a digit`,
        ]),
    ...timesProblems(times),
    ...(OVERLAPS.includes(overlap) ? [] : [`overlap is "${overlap}"; allowed: ${OVERLAPS.join(', ')}`]),
    ...(catchUpMs >= LEAST_CATCH_UP_MS
      ? []
      : [`catch-up is ${durationText(catchUpMs)}; allowed: ${durationText(LEAST_CATCH_UP_MS)} or more`]),
    ...(jitterMs >= 0 ? [] : ['jitter is less than nothing; allowed: 0s or more']),
  ];
}

function timesProblems(times: ScheduleTimes): string[] {
  if ('everyMs' in times)
    return times.everyMs >= LEAST_INTERVAL_MS && times.everyMs % 1_000 === 0
      ? []
      : [`every is ${times.everyMs} ms; allowed: whole seconds, 1s or more`];
  const problem = cronProblem(times.cron);
  return [
    ...(problem === null ? [] : [`cron ${JSON.stringify(times.cron)} ${problem}`]),
    ...(times.timeZone === undefined || isTimeZone(times.timeZone)
      ? []
      : [
          `time zone is ${JSON.stringify(times.timeZone)}; allowed: a name of the time zone database, such as Europe/Berlin, or UTC`,
        ]),
  ];
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
