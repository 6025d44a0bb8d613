import { type Command, Option } from 'commander';
import { OVERLAPS } from '../../client/schedules/schedule-request';
import { answerWith, type CommandContext } from '../command-context';
import { createFromCommand } from '../schedule/create';
import { listSchedules, showSchedule } from '../schedule/show';
import { SCHEDULE_STEERINGS, steerSchedule } from '../schedule/steer';

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
  answerWith(create, context, (name: string, rest: string[]) =>
    createFromCommand(context, create, name, rest),
  );

  const list = schedule
    .command('list')
    .summary('all schedules')
    .description('Lists all schedules with their next times.');
  answerWith(list.option('--json', JSON_OPTION), context, (options: { json?: boolean }) =>
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
  answerWith(show, context, (name: string, options: { json?: boolean }) =>
    showSchedule(context, name, options.json === true),
  );
  for (const steering of SCHEDULE_STEERINGS) {
    const command = schedule
      .command(steering.name)
      .summary(steering.summary)
      .description(steering.description)
      .argument('<name>', 'the name of the schedule')
      .option('--json', JSON_OPTION);
    answerWith(command, context, (name: string, options: { json?: boolean }) =>
      steerSchedule(context, steering, name, options.json === true),
    );
  }
}

const JSON_OPTION = 'print one JSON document on standard output';
