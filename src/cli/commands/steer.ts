import type { Command } from 'commander';
import type { Session } from '../../app/session';
import { RunNotFoundError, RunNotRunningError, RunStillRunningError } from '../../client/client-errors';
import type { ColligateClient } from '../../client/colligate-client';
import { formatOutline, parseOutline } from '../../client/outline-text';
import type { RunHandle } from '../../client/run-handle';
import { CLOSED_STATUSES } from '../../contracts/run-status';
import { formatCount } from '../../lib/strings';
import { stripUnsafe } from '../../lib/untrusted-text';
import {
  COMMAND,
  type CommandContext,
  ExitCode,
  quoteRunId,
  runIdProblems,
  setCommandAction,
  UsageError,
} from '../command-context';
import {
  durationOption,
  givenSources,
  pathProblems,
  readTextArgument,
  skipInvalidOf,
  skipInvalidOption,
  type SkipOptions,
  strictOption,
  zoteroOption,
  zoteroSources,
} from '../command-options';
import { type CommandIo, safeLine } from '../terminal';
import { withRun, withSession } from '../with-session';

interface Steering {
  name: 'pause' | 'resume' | 'cancel';
  summary: string;
  description: string;
  act(run: RunHandle): Promise<void>;
  answer(runId: string, session: Pick<Session, 'startedServer'>): string;
}

const STEERINGS: readonly Steering[] = [
  {
    name: 'pause',
    summary: 'schedule nothing new; what is under way finishes',
    description:
      'Pauses a run: nothing new is scheduled, what is under way finishes, and the clock of its budget stands still.',
    act: (run) => run.pause(),
    answer: (runId) => `Run ${runId} pauses. Go on with: ${COMMAND} resume ${quoteRunId(runId)}`,
  },
  {
    name: 'resume',
    summary: 'go on with a paused run; try at once where it waits',
    description:
      'Goes on with a paused run where it stopped. One that waits for an endpoint, or was paused for it, tries it at once.',
    act: (run) => run.resume(),
    answer: (runId, { startedServer }) =>
      startedServer
        ? `Run ${runId} goes on as soon as a worker is there: ${COMMAND} dev`
        : `Run ${runId} goes on.`,
  },
  {
    name: 'cancel',
    summary: 'end a run and keep a partial report',
    description: 'Cancels a run. It ends when its partial report is stored; "colligate show ID" prints that.',
    act: (run) => run.cancel(),
    answer: (runId) =>
      `Run ${runId} is being cancelled. Its partial report: ${COMMAND} show ${quoteRunId(runId)}`,
  },
];

export function addSteeringCommands(program: Command, context: CommandContext): void {
  for (const steering of STEERINGS) {
    const command = program
      .command(steering.name)
      .summary(steering.summary)
      .description(steering.description)
      .argument('<id>', 'the id of the run')
      .option('--json', 'print one JSON document on standard output')
      .addHelpText('after', `\nExample:\n  $ colligate ${steering.name} changes`);
    setCommandAction(command, context, (id: string, options: { json?: boolean }) =>
      withRun(context, id, async ({ run, session }) => {
        // The server accepts the cancellation of an ended run without an error.
        if (CLOSED_STATUSES.has((await run.progress()).status))
          throw new RunNotRunningError(id, steering.name);
        await steering.act(run);
        if (options.json === true) context.terminal.printJson({ id, requested: steering.name });
        else context.terminal.print(steering.answer(id, session));
        return ExitCode.ok;
      }),
    );
  }
}

interface OutlineOptions {
  set?: string;
  approve?: boolean;
  json?: boolean;
}

export function addOutlineCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('outline')
    .summary('show, replace or approve the outline of a report')
    .description(
      'Prints the outline of a report as Markdown that can be edited: a "## …" line for each section, what it is about under it, and subsections as a list. With --set, the outline of a file takes its place, until pass 2 begins. With --approve, a report that was started with --approve-outline goes on.',
    )
    .argument('<id>', 'the id of the run')
    .option('--set <file>', 'put the outline of this file in the place of the planned one')
    .option('--approve', 'have the report go on with its outline')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate outline changes > outline.md\n  $ colligate outline changes --set outline.md --approve',
    );
  setCommandAction(command, context, async (id: string, options: OutlineOptions) => {
    const given = options.set === undefined ? null : await outlineOf(options.set, context.io);
    return withRun(context, id, async ({ run }) => {
      const { terminal } = context;
      const told: string[] = [];
      if (given !== null) told.push((await run.setOutline(given)).said);
      if (options.approve === true) told.push((await run.approveOutline()).said);
      if (told.length > 0) {
        if (options.json === true) terminal.printJson({ id, said: told });
        else told.forEach((line) => terminal.print(line));
        return ExitCode.ok;
      }
      const outline = await run.outline();
      if (outline === null)
        throw new UsageError([`Run ${id} has no outline yet: pass 1 has not ended, or it is no report.`]);
      if (options.json === true) terminal.printJson(outline);
      else terminal.print(stripUnsafe(formatOutline(outline)));
      return ExitCode.ok;
    });
  });
}

async function outlineOf(
  file: string,
  io: CommandIo,
): Promise<Extract<ReturnType<typeof parseOutline>, { outline: unknown }>['outline']> {
  const given = await readTextArgument('--set', file, io);
  if ('problem' in given) throw new UsageError([given.problem]);
  const read = parseOutline(given.text);
  if ('problems' in read) throw new UsageError(read.problems.map((problem) => `${file}: ${problem}`));
  return read.outline;
}

interface AddSourcesOptions extends SkipOptions {
  zotero?: string[];
  json?: boolean;
}

export function addAddSourcesCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('add-sources')
    .summary('give a report more sources while it goes on')
    .description(
      'Checks and stores sources and adds them to a running report. Before pass 2 they join the others. Later the outline stays, and passes 2 to 4 run once more over all sources. Sources that the report has already are ignored.',
    )
    .argument('<id>', 'the id of the run')
    .argument('[paths...]', 'files, folders and addresses (https://…) to read')
    .addOption(zoteroOption())
    .addOption(skipInvalidOption())
    .addOption(strictOption())
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate add-sources changes new-notes/');
  setCommandAction(command, context, async (id: string, paths: string[], options: AddSourcesOptions) => {
    const problems = await pathProblems(paths, context.io.cwd, 'PATHS');
    const zotero =
      options.zotero === undefined ? [] : await zoteroSources(options.zotero, context.loadConfig(), problems);
    const sources = givenSources(paths, zotero);
    if (sources === null)
      problems.push('PATHS is missing: name files, folders or addresses, or a collection by --zotero.');
    if (sources === null || problems.length > 0) throw new UsageError(problems);
    const { checkSources } = await import('../report-options.js');
    const { warningLines } = await import('../warning-lines.js');
    const skipInvalid = skipInvalidOf(options);
    const warnings =
      paths.length === 0 ? [] : await checkSources(paths, { cwd: context.io.cwd, skipInvalid });
    for (const line of warningLines(warnings, { sources: null })) context.terminal.say(line);
    return withRun(context, id, async ({ run }) => {
      const result = await run.addSources({ ...sources, skipInvalid });
      if (options.json === true) context.terminal.printJson(result);
      else context.terminal.print(result.said);
      return ExitCode.ok;
    });
  });
}

interface DeleteOptions {
  olderThan?: string;
  yes?: boolean;
  json?: boolean;
}

export function addDeleteCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('delete')
    .summary('forget ended runs and what only they stored')
    .description(
      'Deletes ended runs, reports, briefs or answers: their histories, their events, and the stored content that no other run holds. A running one is ' +
        'refused. Files that were written to a folder stay. With --older-than, all that ended longer ago, which are listed first and deleted with --yes.',
    )
    .argument('[ids...]', 'the ids of the runs')
    .option('--older-than <duration>', 'those that ended longer ago: 90m, 12h, 30d or 8w')
    .option('--yes', 'with --older-than: delete them, and do not only list them')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate delete changes\n  $ colligate delete --older-than 30d\n  $ colligate delete --older-than 30d --yes',
    );
  setCommandAction(command, context, (ids: string[], options: DeleteOptions) => {
    const olderThanMs = parseMinimumAge(ids, options);
    return olderThanMs === null
      ? deleteNamed(context, ids, options)
      : deleteOlder(context, olderThanMs, options);
  });
}

/** Minimum age of the runs to delete, in milliseconds; null if runs are named by id. */
function parseMinimumAge(ids: readonly string[], { olderThan, yes }: DeleteOptions): number | null {
  const problems = ids.flatMap((id) => runIdProblems(id, 'ID'));
  const olderThanMs = durationOption('--older-than', olderThan, problems);
  if (ids.length === 0 && olderThan === undefined)
    problems.push('Say which runs to delete: their ids, or --older-than with a duration.');
  if (ids.length > 0 && olderThan !== undefined)
    problems.push('Name runs by their ids or by --older-than, not by both.');
  if (yes === true && olderThan === undefined) problems.push('--yes belongs to --older-than.');
  if (problems.length > 0) throw new UsageError(problems);
  return olderThanMs ?? null;
}

/** False if another process has deleted or restarted the run meanwhile. */
async function tryDelete(client: Pick<ColligateClient, 'delete'>, runId: string): Promise<boolean> {
  try {
    await client.delete(runId);
    return true;
  } catch (error) {
    if (error instanceof RunNotFoundError || error instanceof RunStillRunningError) return false;
    throw error;
  }
}

/** Stops at the first run that cannot be deleted. The runs before it stay deleted. */
function deleteNamed(
  context: CommandContext,
  ids: readonly string[],
  { json = false }: DeleteOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  return withSession(context, async ({ client }) => {
    for (const id of ids) {
      await client.delete(id);
      if (!json) terminal.print(`Run ${safeLine(id)} is deleted.`);
    }
    const [id] = ids;
    if (json) terminal.printJson(ids.length === 1 ? { id, deleted: true } : { deleted: ids });
    return ExitCode.ok;
  });
}

function deleteOlder(
  context: CommandContext,
  olderThanMs: number,
  { yes = false, json = false }: DeleteOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  return withSession(context, async ({ client }) => {
    const found: { id: string; endedAt: string }[] = [];
    for await (const { runId, endedAt } of client.endedBefore(new Date(Date.now() - olderThanMs))) {
      if (yes && !(await tryDelete(client, runId))) continue;
      found.push({ id: runId, endedAt });
      if (!json) terminal.print(`${safeLine(runId)}  ended ${endedAt}${yes ? ', deleted' : ''}`);
    }
    if (json) terminal.printJson(yes ? { deleted: found } : { wouldDelete: found });
    else if (found.length === 0) terminal.say('No run ended so long ago.');
    else if (!yes)
      terminal.say(`Nothing is deleted yet. Add --yes to delete ${formatCount(found.length, 'run')}.`);
    return ExitCode.ok;
  });
}
