import { count } from './wording';

interface Field {
  name: string;
  from: number;
  to: number;
  names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAYS_IN = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const MINUTE: Field = { name: 'minute', from: 0, to: 59 };
const HOUR: Field = { name: 'hour', from: 0, to: 23 };
const DAY: Field = { name: 'day of the month', from: 1, to: 31 };
const MONTH: Field = { name: 'month', from: 1, to: 12, names: MONTHS };
const WEEKDAY: Field = { name: 'day of the week', from: 0, to: 7, names: DAYS };
const FIELDS: readonly Field[] = [MINUTE, HOUR, DAY, MONTH, WEEKDAY];

const SHORTHANDS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** The problem of a cron expression as a clause; null if the server accepts it and it fires some day. */
export function cronProblem(cron: string): string | null {
  const expression = cron.trim();
  if (expression.startsWith('@'))
    return SHORTHANDS.includes(expression.toLowerCase())
      ? null
      : `is no shorthand; allowed: ${SHORTHANDS.join(', ')}, or an interval instead`;
  const parts = expression.split(/\s+/);
  if (expression === '' || parts.length !== FIELDS.length)
    return `has ${expression === '' ? 'no fields' : count(parts.length, 'field')}; allowed: five (minute, hour, day of the month, month, day of the week), such as "0 9 * * mon"`;
  const values: (readonly number[])[] = [];
  for (const [at, field] of FIELDS.entries()) {
    const read = parseField(parts[at] ?? '', field);
    if (typeof read === 'string') return read;
    values.push(read);
  }
  const [, , days = [], months = []] = values;
  const isEverDue = months.some((month) => days.some((day) => day <= (DAYS_IN[month - 1] ?? 0)));
  return isEverDue ? null : 'never comes due: no month that it names has such a day';
}

function parseField(text: string, field: Field): number[] | string {
  const found: number[] = [];
  for (const item of text.split(',')) {
    const { groups } = /^(?<range>[^/]+)(?:\/(?<step>\d{1,4}))?$/.exec(item) ?? {};
    const range =
      groups === undefined ? null : parseRange(groups['range'] ?? '', field, groups['step'] !== undefined);
    const step = Number(groups?.['step'] ?? 1);
    if (range === null || step < 1) return fieldProblem(text, field);
    for (let value = range.from; value <= range.to; value += step) found.push(value);
  }
  return found;
}

function parseRange(text: string, field: Field, hasStep: boolean): { from: number; to: number } | null {
  if (text === '*' || text === '?') return { from: field.from, to: field.to };
  const [first = '', last, ...rest] = text.split('-');
  const from = parseNumber(first, field);
  const to = last === undefined ? (hasStep ? field.to : from) : parseNumber(last, field);
  return rest.length > 0 || from === null || to === null || from > to ? null : { from, to };
}

function parseNumber(text: string, { names, from, to }: Field): number | null {
  const named = names?.indexOf(text.toLowerCase().slice(0, 3)) ?? -1;
  if (named >= 0 && /^[a-z]+$/i.test(text)) return named + from;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= from && value <= to ? value : null;
}

function fieldProblem(text: string, { name, from, to, names }: Field): string {
  const named = names === undefined ? '' : `, or names such as ${names.slice(0, 2).join(' and ')}`;
  return `has ${JSON.stringify(text)} for the ${name}; allowed: ${from} to ${to}${named}, with *, lists (1,3), ranges (1-3) and steps (*/2)`;
}

const UNITS = [
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** About 10 years. */
export const MAX_DURATION_MS = 520 * UNITS[0][1];

/** Parses `90s`, `15m`, `6h`, `1d`, `2w`, and combinations such as `1h30m`; null for other texts. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,6}[wdhms])+$/.test(text)) return null;
  return [...text.matchAll(/(\d+)([wdhms])/g)].reduce((sum, [, amount, unit]) => {
    const [, ms] = UNITS.find(([name]) => name === unit) ?? ['', 0];
    return sum + Number(amount) * ms;
  }, 0);
}

export function formatDuration(milliseconds: number): string {
  let left = milliseconds;
  const parts = UNITS.flatMap(([name, ms]) => {
    const amount = Math.floor(left / ms);
    left -= amount * ms;
    return amount === 0 ? [] : [`${amount}${name}`];
  });
  return parts.length === 0 ? '0s' : parts.join('');
}

/** Prefix of the firing's workflow id. The ids of its runs begin with the schedule's name. */
const FIRING_PREFIX = 'firing-of-';

/** The server appends the time to this id. */
export function firingWorkflowId(schedule: string): string {
  return `${FIRING_PREFIX}${schedule}`;
}

/** `NAME-20260131-090000`, with the planned time (UTC) that the server has appended to the workflow id. */
export function scheduledRunId(schedule: string, workflowId: string, startedAt: Date): string {
  const meant = workflowId.slice(firingWorkflowId(schedule).length + 1);
  const time = Number.isNaN(Date.parse(meant)) ? startedAt : new Date(meant);
  const digits = time.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${schedule}-${digits}`;
}

const SCHEDULE_PREFIX = 'schedule:';
const SCHEDULE_LOG = /^schedule:[^:]+:[0-9a-f]{8}(?::|$)/;

/** Name of the schedule's log, and holder of its contents. `mark` tells schedules of the same name apart. */
export function scheduleLogName(schedule: string, mark: string): string {
  return `${SCHEDULE_PREFIX}${schedule}:${mark}`;
}

export function isScheduleLog(schedule: string, keptAs: string): boolean {
  return keptAs.startsWith(scheduleLogName(schedule, ''));
}

/** A run of such a name would write to the schedule's data and delete it. */
export function isScheduleLogName(id: string): boolean {
  return SCHEDULE_LOG.test(id);
}
