import { type Command, Option } from 'commander';
import { RunWithoutReportError } from '../../client/run-errors';
import { stripUnsafe } from '../../core/untrusted-text';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { withRun } from '../with-run';

interface ShowOptions {
  format: 'md' | 'json';
  json?: boolean;
}

export function addShowCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('show')
    .summary('print the report of a run')
    .description("Prints the report of a run: its text, or everything with each claim's evidence as JSON.")
    .argument('<id>', 'the id of the run')
    .addOption(
      new Option('--format <format>', 'md, or json as in report.json').choices(['md', 'json']).default('md'),
    )
    .option('--json', 'the same as --format json')
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate show changes | less\n  $ colligate show changes --format json > report.json',
    );
  answerWith(command, context, (id: string, options: ShowOptions) => show(context, id, options));
}

function show(context: CommandContext, id: string, options: ShowOptions): Promise<ExitCode> {
  return withRun(context, id, async ({ run }) => {
    const stored = await run.report();
    if (stored === null) {
      const { status } = await run.progress();
      throw new RunWithoutReportError(id, status);
    }
    if (options.json === true || options.format === 'json') context.terminal.printJson(stored.report);
    else context.terminal.print(stripUnsafe(stored.markdown).trimEnd());
    return ExitCode.ok;
  });
}
