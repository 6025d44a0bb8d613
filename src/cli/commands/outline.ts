import type { Command } from 'commander';
import { outlineText, readOutlineText } from '../../client/pass-results/outline-text';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { answerWith, type CommandContext } from '../command-context';
import type { CommandIo } from '../command-io';
import { ExitCode } from '../exit-code';
import { UsageError } from '../failures/usage-error';
import { givenText } from '../request/given-text';
import { withRun } from '../session/with-run';

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
  answerWith(command, context, async (id: string, options: OutlineOptions) => {
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
      else terminal.print(stripUnsafe(outlineText(outline)));
      return ExitCode.ok;
    });
  });
}

async function outlineOf(
  file: string,
  io: CommandIo,
): Promise<Extract<ReturnType<typeof readOutlineText>, { outline: unknown }>['outline']> {
  const given = await givenText('--set', file, io);
  if ('problem' in given) throw new UsageError([given.problem]);
  const read = readOutlineText(given.text);
  if ('problems' in read) throw new UsageError(read.problems.map((problem) => `${file}: ${problem}`));
  return read.outline;
}
