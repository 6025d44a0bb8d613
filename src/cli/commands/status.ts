import { type Command, InvalidArgumentError } from 'commander';
import type { AnswerStatistics } from '../../contracts/answer';
import { localClock, runSnapshot, snapshotFacts } from '../../contracts/run-status';
import { COMMAND, type CommandContext, ExitCode, setCommandAction } from '../command-context';
import { TEXTS_HELP } from '../command-options';
import { alignLabels } from '../progress-display';
import { renderTable, safeExcerpt, safeLine } from '../terminal';
import type { WatchOptions } from '../watch-run';
import { withRun, withSession } from '../with-session';

const LINE_CHARS = 2_000;

export function addStatusCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('status')
    .summary('where a run is: status, pass, section, what it waits for')
    .description('Says where a run is: its status, pass and section, what it has used, and its warnings.')
    .argument('<id>', 'the id of the run')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate status changes');
  setCommandAction(command, context, (id: string, options: StatusOptions) => status(context, id, options));
}

interface StatusOptions {
  json?: boolean;
}

function status(context: CommandContext, id: string, options: StatusOptions): Promise<ExitCode> {
  return withRun(context, id, async ({ run, session }) => {
    const { terminal } = context;
    const progress = await run.progress();
    if (options.json === true) {
      terminal.printJson(progress);
      return ExitCode.ok;
    }
    const failure = progress.status === 'failed' ? ((await run.waitUntilClosed()).message ?? null) : null;
    const facts = snapshotFacts(runSnapshot(progress, failure), localClock(new Date()));
    const url = session.runUrl(progress.runId);
    const lines = facts.map(({ name, text }): [string, string] => [name, safeExcerpt(text, LINE_CHARS)]);
    alignLabels([...lines, ...(url === null ? [] : [['Web UI', url] as [string, string]])]).forEach(
      terminal.print,
    );
    if (progress.note !== undefined) terminal.say(safeLine(progress.note));
    if (progress.status === 'running' && progress.toldBy === 'records') {
      terminal.say(`No worker answers for it. Start one with: ${COMMAND} worker`);
    }
    return ExitCode.ok;
  });
}

export function addWatchCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('watch')
    .summary('follow a run: phases, sections, conflicts, until it ends')
    .description(
      'Follows a run by its events until it ends: phases, sections with their findings, conflicts, and the text of each section, paragraph by paragraph as it is written, with its sources by short names. Leaving it does not stop the run.',
    )
    .argument('<id>', 'the id of the run')
    .option(
      '--out <folder>',
      'write report.md, report.json and, of a report, report.html there when it ends; report.html tells until then where it is',
    )
    .option('--no-html', 'write no report.html')
    .option('--texts <which>', TEXTS_HELP)
    .option('--after <number>', 'only events above this number', wholeNumber)
    .option('--json', 'print one JSON document on standard output when it ends')
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate watch changes\n  $ colligate watch changes --out reports',
    );
  setCommandAction(command, context, async (id: string, options: WatchOptions) => {
    const { watchRun } = await import('../watch-run.js');
    return watchRun(context, id, options);
  });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number from 0.');
  return Number(text);
}

export function addListCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('list')
    .summary('all runs, newest first')
    .description('Lists all runs, reports, briefs and answers, newest first, with their status and question.')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate list');
  setCommandAction(command, context, (options: { json?: boolean }) => list(context, options.json === true));
}

function list(context: CommandContext, json: boolean): Promise<ExitCode> {
  return withSession(context, async ({ client }) => {
    const { terminal } = context;
    const runs = await client.list();
    if (json) terminal.printJson({ runs });
    else if (runs.length === 0)
      terminal.say(`There are no runs yet. Start one with: ${COMMAND} report "…" --sources PATH`);
    else {
      const isAnyScheduled = runs.some(({ schedule }) => schedule !== undefined);
      const rows = runs.map((run) => [
        safeLine(run.runId),
        run.kind,
        run.status,
        localTime(run.startedAt),
        ...(isAnyScheduled ? [safeLine(run.schedule ?? '')] : []),
        safeLine(run.question),
      ]);
      const [header = '', ...lines] = renderTable(
        ['ID', 'KIND', 'STATUS', 'STARTED', ...(isAnyScheduled ? ['SCHEDULE'] : []), 'QUESTION'],
        rows,
        terminal.width,
      );
      terminal.print(terminal.colours.bold(header));
      for (const line of lines) terminal.print(line);
    }
    return ExitCode.ok;
  });
}

function localTime(iso: string): string {
  const time = new Date(iso);
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${part(time.getMonth() + 1)}-${part(time.getDate())} ${part(time.getHours())}:${part(time.getMinutes())}`;
}

export function addStatsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('stats')
    .summary('how answers came out, over all that are kept')
    .description(
      'Counts the answers that are kept: how they came out, how many brought documents together (synthesis mode) and how many documents these had, how sure they are, and how long they took.',
    )
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate stats');
  setCommandAction(command, context, (options: { json?: boolean }) => stats(context, options.json === true));
}

function stats(context: CommandContext, json: boolean): Promise<ExitCode> {
  return withSession(context, async ({ client }) => {
    const { terminal } = context;
    const statistics = await client.statistics();
    if (json) terminal.printJson(statistics);
    else if (statistics.answers === 0)
      terminal.say(`There are no answers yet. Ask with: ${COMMAND} answer "…" --sources PATH`);
    else for (const [name, value] of linesOf(statistics)) terminal.print(`${name.padEnd(22)} ${value}`);
    return ExitCode.ok;
  });
}

function linesOf({
  answers,
  byOutcome,
  synthesis,
  meanConfidence,
  medianLatencyMs,
}: AnswerStatistics): [string, string][] {
  return [
    ['Answers', String(answers)],
    ...Object.entries(byOutcome).map(([outcome, amount]): [string, string] => [
      `  ${outcome}`,
      String(amount),
    ]),
    ['Synthesis mode', `${synthesis.answers} (${percent(synthesis.activationRate)} of all answers)`],
    ['  mean documents', figure(synthesis.meanDocuments, 1)],
    ['  multi-source', `${percent(synthesis.multiSourceShare)} of its citations`],
    ['Mean confidence', figure(meanConfidence, 2)],
    ['Median latency', medianLatencyMs === null ? NOTHING : `${Math.round(medianLatencyMs)} ms`],
  ];
}

const NOTHING = '–';

function percent(share: number | null): string {
  return share === null ? NOTHING : `${Math.round(share * 100)} %`;
}

function figure(value: number | null, digits: number): string {
  return value === null ? NOTHING : value.toFixed(digits);
}
