import type { Command } from 'commander';
import type { ColligateClient } from '../../client/colligate-client';
import { RunNotFoundError, RunStillRunningError } from '../../client/run-errors';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { UsageError } from '../failures/usage-error';
import { durationOption } from '../request/duration-option';
import { runIdProblems } from '../request/request-problems';
import { count } from '../../core/values/grouped-digits';
import { withSession } from '../session/with-run';
import { safeLine } from '../terminal/safe-text';

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
  answerWith(command, context, (ids: string[], options: DeleteOptions) => {
    const olderThanMs = wanted(ids, options);
    return olderThanMs === null
      ? deleteNamed(context, ids, options)
      : deleteOlder(context, olderThanMs, options);
  });
}

/** How old runs are that are to be deleted, or null where they are named. */
function wanted(ids: readonly string[], { olderThan, yes }: DeleteOptions): number | null {
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

/** False where somebody else deletes it, or has run it again, since it was found. */
async function isDeletedNow(client: Pick<ColligateClient, 'delete'>, runId: string): Promise<boolean> {
  try {
    await client.delete(runId);
    return true;
  } catch (error) {
    if (error instanceof RunNotFoundError || error instanceof RunStillRunningError) return false;
    throw error;
  }
}

/** The first that cannot be deleted ends it; those before it are gone, and said to be. */
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
      if (yes && !(await isDeletedNow(client, runId))) continue;
      found.push({ id: runId, endedAt });
      if (!json) terminal.print(`${safeLine(runId)}  ended ${endedAt}${yes ? ', deleted' : ''}`);
    }
    if (json) terminal.printJson(yes ? { deleted: found } : { wouldDelete: found });
    else if (found.length === 0) terminal.say('No run ended so long ago.');
    else if (!yes) terminal.say(`Nothing is deleted yet. Add --yes to delete ${count(found.length, 'run')}.`);
    return ExitCode.ok;
  });
}
