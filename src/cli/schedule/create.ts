import type { Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { UsageError } from '../failures/usage-error';
import { unfitProblems, kindNamed, type ParsedRun, parsedRun } from './parsed-run';
import type { Overlap, ScheduleRequest } from '../../client/schedules/schedule-request';
import { toldValue } from '../../core/values/told-value';
import { durationOption } from '../request/duration-option';

export async function createFromCommand(
  context: CommandContext,
  create: Command,
  name: string,
  rest: readonly string[],
): Promise<ExitCode> {
  const { options, run } = splitCommand(create, rest);
  const problems: string[] = [];
  const rules = rulesOf(name, options, problems);
  // Only now, so that help and usage errors come at once.
  const { scheduleProblems } = await import('../../client/schedules/schedule-problems.js');
  const all = [...problems, ...(problems.length > 0 ? [] : scheduleProblems(rules)), ...unfitProblems(run)];
  if (all.length > 0) throw new UsageError(all);
  const { checkedRun } = await import('./checked-run.js');
  const checked = await checkedRun(run, context);
  const { makeSchedule } = await import('./make-schedule.js');
  return makeSchedule(context, { rules, checked, json: options.json === true || run.options.json === true });
}

interface CreateOptions {
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
function splitCommand(create: Command, rest: readonly string[]): { options: CreateOptions; run: ParsedRun } {
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

function takesNext(options: readonly Option[], word: string): boolean {
  return !word.includes('=') && options.some(({ long, required }) => long === word && required);
}

function rulesOf(name: string, options: CreateOptions, problems: string[]): Omit<ScheduleRequest, 'run'> {
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
