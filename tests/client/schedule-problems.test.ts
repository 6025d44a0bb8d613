import { Client, Connection } from '@temporalio/client';
import { createScheduleHandle } from '../../src/client/schedules/schedule-handle';
import { ScheduleNotFoundError } from '../../src/client/schedules/schedule-errors';
import { scheduleProblems } from '../../src/client/schedules/schedule-problems';
import type { ContentStore } from '../../src/stores/content-store';
import type { EventLog } from '../../src/stores/event-log';
import type { ScheduleRequest } from '../../src/client/schedules/schedule-request';

const HOURLY = { name: 'news', times: { everyMs: 3_600_000 } };
const DAILY = { name: 'news', times: { cron: '0 9 * * *' } };
const A_WEEK_MS = 604_800_000;

test.each<[string, object, string]>([
  [
    'a jitter above the interval',
    { ...HOURLY, jitterMs: 5 * A_WEEK_MS },
    'jitter is 5w; allowed: from 0s to less than the interval, 1h',
  ],
  [
    'a jitter as long as the interval',
    { ...HOURLY, jitterMs: 3_600_000 },
    'jitter is 1h; allowed: from 0s to less than the interval, 1h',
  ],
  [
    'a jitter below nothing',
    { ...HOURLY, jitterMs: -1 },
    'jitter is -1 ms; allowed: from 0s to less than the interval, 1h',
  ],
  [
    'a jitter of months at times by cron',
    { ...DAILY, jitterMs: 9 * A_WEEK_MS },
    'jitter is 9w; allowed: from 0s to 4w',
  ],
  [
    'no interval',
    { ...HOURLY, times: { everyMs: 0 } },
    'every is 0s; allowed: whole seconds from 1s to 520w',
  ],
  [
    'half a second',
    { ...HOURLY, times: { everyMs: 1_500 } },
    'every is 1500 ms; allowed: whole seconds from 1s to 520w',
  ],
  [
    'an interval that never ends',
    { ...HOURLY, times: { everyMs: Infinity } },
    'every is Infinity ms; allowed: whole seconds from 1s to 520w',
  ],
  [
    'ages',
    { ...HOURLY, times: { everyMs: 1_000 * A_WEEK_MS } },
    'every is 1000w; allowed: whole seconds from 1s to 520w',
  ],
  [
    'a catch-up of no number',
    { ...HOURLY, catchUpMs: Number.NaN },
    'catch-up is NaN ms; allowed: from 10s to 520w',
  ],
  [
    'a catch-up that is too short',
    { ...HOURLY, catchUpMs: 5_000 },
    'catch-up is 5s; allowed: from 10s to 520w',
  ],
  [
    'a name of a megabyte',
    { ...HOURLY, name: 'x'.repeat(1_000_000) },
    `name is "${'x'.repeat(80)}…" (1,000,000 characters); allowed: 1 to 100 letters, digits, dots, dashes and underscores, the first of them a letter or a digit`,
  ],
  [
    'a note of a book',
    { ...HOURLY, note: 'x'.repeat(5_000) },
    `note is "${'x'.repeat(80)}…" (5,000 characters); allowed: a text of at most 4000 characters`,
  ],
  [
    'an overlap that is none',
    { ...HOURLY, overlap: 'twice' },
    'overlap is "twice"; allowed: skip, buffer-one, buffer-all, cancel-other, allow-all',
  ],
  [
    'times that are none',
    { name: 'news', times: {} },
    'times is {}; allowed: { cron, timeZone } or { everyMs }',
  ],
  [
    'a cron expression of a megabyte',
    { ...DAILY, times: { cron: '9'.repeat(1_000_000) } },
    `cron "${'9'.repeat(80)}…" (1,000,000 characters) has 1 field; allowed: five (minute, hour, day of the month, month, day of the week), such as "0 9 * * mon"`,
  ],
])('%s is refused', (_name, request, problem) => {
  expect(scheduleProblems(request as Omit<ScheduleRequest, 'run'>)).toEqual([problem]);
});

test.each<[string, object]>([
  ['a jitter below the interval', { ...HOURLY, jitterMs: 3_599_000 }],
  ['a jitter of a week at times by cron', { ...DAILY, jitterMs: A_WEEK_MS }],
  [
    'an interval of a year with a catch-up of a month',
    { ...HOURLY, times: { everyMs: 52 * A_WEEK_MS }, catchUpMs: 4 * A_WEEK_MS },
  ],
])('%s is taken', (_name, request) => {
  expect(scheduleProblems(request as Omit<ScheduleRequest, 'run'>)).toEqual([]);
});

test.each(['', '../a', 'x'.repeat(100_000)])(
  'no server is asked for a schedule of a name that none can have',
  async (name) => {
    // It would be connected with at the first question, and there is nobody.
    const client = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
    const get = (): never => {
      throw new Error('no store is asked');
    };
    const unasked = new Proxy({}, { get });
    const schedule = createScheduleHandle(
      { client, content: unasked as ContentStore, events: unasked as EventLog },
      name,
    );
    for (const ask of [
      () => schedule.describe(),
      () => schedule.pause(),
      () => schedule.trigger(),
      () => schedule.delete(),
    ])
      await expect(ask()).rejects.toThrow(ScheduleNotFoundError);
  },
);
