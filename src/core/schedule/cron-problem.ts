import { count } from '../writing/count';

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

/** What is wrong with a cron expression, as the rest of a sentence; null for one that the server takes and that comes due some day. */
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
    const read = valuesOf(parts[at] ?? '', field);
    if (typeof read === 'string') return read;
    values.push(read);
  }
  const [, , days = [], months = []] = values;
  const isEverDue = months.some((month) => days.some((day) => day <= (DAYS_IN[month - 1] ?? 0)));
  return isEverDue ? null : 'never comes due: no month that it names has such a day';
}

/** The numbers that a field stands for, or what is wrong with it. */
function valuesOf(text: string, field: Field): number[] | string {
  const found: number[] = [];
  for (const item of text.split(',')) {
    const { groups } = /^(?<range>[^/]+)(?:\/(?<step>\d{1,4}))?$/.exec(item) ?? {};
    const range =
      groups === undefined ? null : rangeOf(groups['range'] ?? '', field, groups['step'] !== undefined);
    const step = Number(groups?.['step'] ?? 1);
    if (range === null || step < 1) return problemOf(text, field);
    for (let value = range.from; value <= range.to; value += step) found.push(value);
  }
  return found;
}

function rangeOf(text: string, field: Field, hasStep: boolean): { from: number; to: number } | null {
  if (text === '*' || text === '?') return { from: field.from, to: field.to };
  const [first = '', last, ...rest] = text.split('-');
  const from = numberOf(first, field);
  const to = last === undefined ? (hasStep ? field.to : from) : numberOf(last, field);
  return rest.length > 0 || from === null || to === null || from > to ? null : { from, to };
}

function numberOf(text: string, { names, from, to }: Field): number | null {
  const named = names?.indexOf(text.toLowerCase().slice(0, 3)) ?? -1;
  if (named >= 0 && /^[a-z]+$/i.test(text)) return named + from;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= from && value <= to ? value : null;
}

function problemOf(text: string, { name, from, to, names }: Field): string {
  const named = names === undefined ? '' : `, or names such as ${names.slice(0, 2).join(' and ')}`;
  return `has ${JSON.stringify(text)} for the ${name}; allowed: ${from} to ${to}${named}, with *, lists (1,3), ranges (1-3) and steps (*/2)`;
}
