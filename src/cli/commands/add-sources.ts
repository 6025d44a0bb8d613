import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { UsageError } from '../failures/usage-error';
import { pathProblems } from '../request/path-problems';
import { withRun } from '../session/with-run';

interface AddSourcesOptions {
  skipInvalid?: boolean;
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
    .argument('<paths...>', 'files, folders and addresses (https://…) to read')
    .option('--skip-invalid', 'leave out sources that cannot be read')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate add-sources changes new-notes/');
  answerWith(command, context, async (id: string, paths: string[], options: AddSourcesOptions) => {
    const problems = await pathProblems(paths, context.io.cwd, 'PATHS');
    if (problems.length > 0) throw new UsageError(problems);
    const { checkSources } = await import('../request/check-sources.js');
    const { cwd } = context.io;
    await checkSources(paths, { cwd, skipInvalid: options.skipInvalid === true });
    return withRun(context, id, async ({ run }) => {
      const result = await run.addSources({ paths, skipInvalid: options.skipInvalid === true });
      if (options.json === true) context.terminal.printJson(result);
      else context.terminal.print(result.said);
      return ExitCode.ok;
    });
  });
}
