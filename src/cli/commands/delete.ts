import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { withRun } from '../session/with-run';

export function addDeleteCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('delete')
    .summary('forget an ended run and what only it stored')
    .description(
      'Deletes an ended run, a report, a brief or an answer: its history, its events, and the stored content that no other run holds. A running one is ' +
        'refused. Files that were written to a folder stay.',
    )
    .argument('<id>', 'the id of the run')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate delete changes');
  answerWith(command, context, (id: string, options: { json?: boolean }) =>
    withRun(context, id, async ({ session }) => {
      await session.client.delete(id);
      if (options.json === true) context.terminal.printJson({ id, deleted: true });
      else context.terminal.print(`Run ${id} is deleted.`);
      return ExitCode.ok;
    }),
  );
}
