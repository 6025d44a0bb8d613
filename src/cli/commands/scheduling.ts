import { type Command, Option } from 'commander';
import type { Session } from '../../app/session';
import {
  type DescribedSchedule,
  type Overlap,
  OVERLAPS,
  type ScheduleHandle,
  type ScheduleRequest,
  type ScheduleTimes,
} from '../../client/run-requests';
import { formatDuration } from '../../contracts/schedule';
import { formatValue } from '../../lib/json';
import { COMMAND, type CommandContext, ExitCode, setCommandAction, UsageError } from '../command-context';
import { durationOption } from '../command-options';
import { type ParsedRun, parseRunCommand, parseRunKind, scheduleFlagProblems } from '../parsed-run';
import { renderTable, safeExcerpt, safeLine } from '../terminal';
import { withSession } from '../with-session';

const EXAMPLES = `
NAME, then when, then a command as it is given by itself: report, answer or brief, with its arguments. Files and folders are read
when the schedule fires, by the worker, so they have to lie where every worker reaches them. Each run is called NAME-DATE-TIME (UTC),
and begins with what changed since the one before.

DURATION is 30s, 15m, 6h, 1d, 2w, or several of them: 1h30m. EXPR has five fields, in UTC unless --time-zone names another.

Examples:
  $ colligate schedule create weekly --cron "0 9 * * mon" --time-zone Europe/Berlin report "What is new?" --sources /data/notes
  $ colligate schedule create watch --every 6h --overlap skip --catch-up 1h answer "Does it work?" --sources /data/notes
  $ colligate schedule show weekly`;

export function addScheduleCommand(program: Command, context: CommandContext): void {
  const schedule = program
    .command('schedule')
    .summary('have runs started at their times, each told what changed since the one before')
    .description('Has reports, answers and briefs made again and again, over what is there each time.')
    .enablePositionalOptions();
  const create = schedule
    .command('create')
    .summary('make a schedule')
    .description(
      'Makes a schedule. Everything is checked as if its run were started now, and nothing is made where something is wrong.',
    )
    .usage('<name> (--cron <expr> | --every <duration>) [options] report|answer|brief …')
    .argument('<name>', 'what it is called: letters, digits, dots, dashes and underscores')
    .argument('<run...>', 'the command that makes the run, with its arguments')
    .option('--cron <expr>', 'when it fires: minute, hour, day of the month, month, day of the week')
    .option('--every <duration>', 'or at even intervals')
    .option('--time-zone <name>', 'in which --cron is meant, such as Europe/Berlin (default: UTC)')
    .addOption(
      new Option(
        '--overlap <how>',
        'what happens to a firing while an earlier run goes on (default: skip)',
      ).choices(OVERLAPS),
    )
    .option('--catch-up <duration>', 'how late a firing is made up for that the server missed (default: 1d)')
    .option('--jitter <duration>', 'fire up to so much later, by chance')
    .option('--note <text>', 'for whoever looks at it')
    .option('--json', 'print one JSON document on standard output')
    .passThroughOptions()
    .addHelpText('after', EXAMPLES);
  setCommandAction(create, context, (name: string, rest: string[]) =>
    createFromCommand(context, create, name, rest),
  );

  const list = schedule
    .command('list')
    .summary('all schedules')
    .description('Lists all schedules with their next times.');
  setCommandAction(list.option('--json', JSON_OPTION), context, (options: { json?: boolean }) =>
    listSchedules(context, options.json === true),
  );
  const show = schedule
    .command('show')
    .summary('a schedule with its rules, its next times and what its last firings came to')
    .description(
      'Shows a schedule: its times, overlap and catch-up, what it reads, its next times, and what its last firings came to.',
    )
    .argument('<name>', 'the name of the schedule')
    .option('--json', JSON_OPTION);
  setCommandAction(show, context, (name: string, options: { json?: boolean }) =>
    showSchedule(context, name, options.json === true),
  );
  for (const steering of SCHEDULE_STEERINGS) {
    const command = schedule
      .command(steering.name)
      .summary(steering.summary)
      .description(steering.description)
      .argument('<name>', 'the name of the schedule')
      .option('--json', JSON_OPTION);
    setCommandAction(command, context, (name: string, options: { json?: boolean }) =>
      steerSchedule(context, steering, name, options.json === true),
    );
  }
}

const JSON_OPTION = 'print one JSON document on standard output';

async function createFromCommand(
  context: CommandContext,
  create: Command,
  name: string,
  rest: readonly string[],
): Promise<ExitCode> {
  const { options, run } = splitCommand(create, rest);
  const problems: string[] = [];
  const rules = parseScheduleRules(name, options, problems);
  // Lazy import: help and usage errors stay fast.
  const { scheduleProblems } = await import('../../client/schedules.js');
  const all = [
    ...problems,
    ...(problems.length > 0 ? [] : scheduleProblems(rules)),
    ...scheduleFlagProblems(run),
  ];
  if (all.length > 0) throw new UsageError(all);
  const { validateRun } = await import('../make-schedule.js');
  const checked = await validateRun(run, context);
  const { createSchedule } = await import('../make-schedule.js');
  return createSchedule(context, {
    rules,
    checked,
    json: options.json === true || run.options.json === true,
  });
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

function splitCommand(create: Command, rest: readonly string[]): { options: CreateOptions; run: ParsedRun } {
  let at = 0;
  while (at < rest.length && (rest[at] ?? '').startsWith('-'))
    at += takesNext(create.options, rest[at] ?? '') ? 2 : 1;
  const kind = parseRunKind(rest[at] ?? '');
  const { operands, unknown } = create.parseOptions(rest.slice(0, at));
  const [stray] = [...unknown, ...operands];
  if (stray !== undefined) create.error(`error: unknown option '${stray}'`);
  if (kind === null)
    throw new UsageError([
      `${rest[at] === undefined ? 'The command of the run is missing' : `${formatValue(rest[at])} is no command of a run`}: name report, answer or brief with its arguments behind the times.`,
    ]);
  return { options: create.opts<CreateOptions>(), run: parseRunCommand(create, kind, rest.slice(at + 1)) };
}

function takesNext(options: readonly Option[], word: string): boolean {
  return !word.includes('=') && options.some(({ long, required }) => long === word && required);
}

function parseScheduleRules(
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

const NEXT_SHOWN = 3;
const PROBLEM_CHARS = 600;

function listSchedules(context: CommandContext, json: boolean): Promise<ExitCode> {
  return withSession(context, async ({ client }) => {
    const { terminal } = context;
    const schedules = await client.schedules();
    if (json) terminal.printJson({ schedules });
    else if (schedules.length === 0)
      terminal.say(
        `There are no schedules yet. Make one with: ${COMMAND} schedule create NAME --every 1d report "…" --sources PATH`,
      );
    else {
      const rows = schedules.map(({ name, kind, times, paused, next, question }) => [
        ...[safeLine(name), kind, timesText(times), paused ? 'paused' : (next[0] ?? 'never')],
        safeLine(question),
      ]);
      const [header = '', ...lines] = renderTable(
        ['NAME', 'KIND', 'WHEN', 'NEXT', 'QUESTION'],
        rows,
        terminal.width,
      );
      terminal.print(terminal.colours.bold(header));
      for (const line of lines) terminal.print(line);
    }
    return ExitCode.ok;
  });
}

function showSchedule(context: CommandContext, name: string, json: boolean): Promise<ExitCode> {
  return withSession(context, async ({ client }) => {
    const schedule = await client.schedule(name).describe();
    if (json) context.terminal.printJson(schedule);
    else for (const line of scheduleLines(schedule)) context.terminal.print(line);
    return ExitCode.ok;
  });
}

function scheduleLines(schedule: DescribedSchedule): string[] {
  const { name, kind, question, engine, paths, times, paused, note, next } = schedule;
  const { overlap, catchUpMs, counts, firings } = schedule;
  return [
    `Schedule ${safeLine(name)}: ${kind}, ${engine} engine${paused ? ', paused' : ''}`,
    `  Question:   ${safeExcerpt(question, 300)}`,
    ...(note === null ? [] : [`  Note:       ${safeExcerpt(note, 300)}`]),
    `  Reads:      ${paths.length === 0 ? 'what was stored when it was made' : paths.map(safeLine).join(', ')}`,
    `  Fires:      ${timesText(times)}`,
    `  Overlap:    ${overlap}`,
    `  Catch-up:   ${formatDuration(catchUpMs)}`,
    `  Next:       ${paused ? 'when it is resumed' : next.slice(0, NEXT_SHOWN).join(', ') || 'never'}`,
    `  Fired:      ${counts.fired} (${counts.skipped} skipped for an earlier run, ${counts.missed} missed for longer than the catch-up)`,
    ...(firings.length === 0 ? [] : ['  Last firings:']),
    ...firings.flatMap(({ runId, status, at, problem }) => [
      `    ${at}  ${safeLine(runId)}  ${status}`,
      ...(problem === undefined ? [] : [`      ${safeExcerpt(problem, PROBLEM_CHARS)}`]),
    ]),
  ];
}

function timesText(times: ScheduleTimes): string {
  return 'everyMs' in times
    ? `every ${formatDuration(times.everyMs)}`
    : `${safeLine(times.cron)} (${times.timeZone ?? 'UTC'})`;
}

export interface ScheduleSteering {
  name: string;
  summary: string;
  description: string;
  act: (schedule: ScheduleHandle) => Promise<void>;
  answer: (name: string, session: Pick<Session, 'startedServer'>) => string;
}

const SCHEDULE_STEERINGS: readonly ScheduleSteering[] = [
  {
    name: 'pause',
    summary: 'do not fire until it is resumed',
    description:
      'Pauses a schedule: it does not fire until it is resumed. A run that goes on is not touched.',
    act: (schedule) => schedule.pause(),
    answer: (name) => `Schedule ${name} is paused. Go on with: ${COMMAND} schedule resume ${name}`,
  },
  {
    name: 'resume',
    summary: 'fire at its times again',
    description: 'Resumes a paused schedule. What it missed while it was paused is not made up for.',
    act: (schedule) => schedule.resume(),
    answer: (name) => `Schedule ${name} fires at its times again.`,
  },
  {
    name: 'trigger',
    summary: 'fire now, besides its times',
    description: 'Fires now, besides its times, also where it is paused; its rule on overlaps holds.',
    act: (schedule) => schedule.trigger(),
    answer: (name, { startedServer }) =>
      startedServer
        ? `Schedule ${name} fires as soon as a server and a worker are there: ${COMMAND} dev`
        : `Schedule ${name} fires. What comes of it: ${COMMAND} schedule show ${name}`,
  },
  {
    name: 'delete',
    summary: 'fire no more; its runs stay',
    description:
      'Deletes a schedule. Its runs stay, and one that goes on goes on; what was kept for the next one is let go.',
    act: (schedule) => schedule.delete(),
    answer: (name) => `Schedule ${name} is deleted. Its runs stay: ${COMMAND} list`,
  },
];

function steerSchedule(
  context: CommandContext,
  { name: requested, act, answer }: ScheduleSteering,
  name: string,
  json: boolean,
): Promise<ExitCode> {
  return withSession(context, async (session) => {
    await act(session.client.schedule(name));
    if (json) context.terminal.printJson({ schedule: name, requested });
    else context.terminal.print(answer(name, session));
    return ExitCode.ok;
  });
}
