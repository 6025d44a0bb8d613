import type { Command, Option } from 'commander';
import type { Overlap, ScheduleRequest } from '../../client/schedules/schedule-request';
import { toldValue } from '../../core/values/told-value';
import { UsageError } from '../failures/usage-error';
import { durationOption } from '../request/duration-option';
import { kindNamed, type ParsedRun, parsedRun } from './parsed-run';

/** What stands before the command of the run. */
export interface CreateOptions {
  cron?: string;
  every?: string;
  timeZone?: string;
  overlap?: Overlap;
  catchUp?: string;
  jitter?: string;
  note?: string;
  json?: boolean;
}

/** Parts the words behind the name into the options of the schedule and the command of its run, and reads both. */
export function splitCommand(
  create: Command,
  rest: readonly string[],
): { options: CreateOptions; run: ParsedRun } {
  let at = 0;
  while (at < rest.length && (rest[at] ?? '').startsWith('-'))
    at += takesNext(create.options, rest[at] ?? '') ? 2 : 1;
  const kind = kindNamed(rest[at] ?? '');
  const { operands, unknown } = create.parseOptions(rest.slice(0, at));
  const [stray] = [...unknown, ...operands];
  if (stray !== undefined) create.error(`error: unknown option '${stray}'`);
  if (kind === null)
    throw new UsageError([
      `${rest[at] === undefined ? 'The command of the run is missing' : `${toldValue(rest[at])} is no command of a run`}: name report, answer or brief with its arguments behind the times.`,
    ]);
  return { options: create.opts<CreateOptions>(), run: parsedRun(create, kind, rest.slice(at + 1)) };
}

/** Whether the word behind an option is its value. */
function takesNext(options: readonly Option[], word: string): boolean {
  return !word.includes('=') && options.some(({ long, required }) => long === word && required);
}

/** The times and rules of a schedule as a request has them; what is wrong is added to `problems`. */
export function rulesOf(
  name: string,
  options: CreateOptions,
  problems: string[],
): Omit<ScheduleRequest, 'run'> {
  const { cron, every, timeZone, overlap, catchUp, jitter, note } = options;
  if ((cron === undefined) === (every === undefined))
    problems.push(
      cron === undefined
        ? 'When it fires is missing: give --cron EXPR or --every DURATION.'
        : '--cron and --every are both given: give one of them.',
    );
  if (timeZone !== undefined && cron === undefined)
    problems.push('--time-zone is for --cron: even intervals know no time zone.');
  const catchUpMs = durationOption('--catch-up', catchUp, problems);
  const jitterMs = durationOption('--jitter', jitter, problems);
  const everyMs = durationOption('--every', every, problems);
  return {
    name,
    times:
      cron === undefined
        ? { everyMs: everyMs ?? 1_000 }
        : { cron, ...(timeZone === undefined ? {} : { timeZone }) },
    ...(overlap === undefined ? {} : { overlap }),
    ...(catchUpMs === undefined ? {} : { catchUpMs }),
    ...(jitterMs === undefined ? {} : { jitterMs }),
    ...(note === undefined ? {} : { note }),
  };
}
