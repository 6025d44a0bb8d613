import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';

export function addServerCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('server')
    .summary('a Temporal server for this folder, in the foreground')
    .description(
      'Starts the Temporal server of this folder, prints where it is, and runs until Ctrl-C. Its runs are kept in the data folder.',
    )
    .option('--json', 'print one JSON document on standard output when it is ready')
    .addHelpText('after', '\nExample:\n  $ colligate server');
  answerWith(command, context, async (options: { json?: boolean }): Promise<ExitCode> => {
    const { serveUntilStopped } = await import('../session/serve.js');
    return serveUntilStopped(context, context.loadConfig(), {
      server: true,
      worker: false,
      json: options.json === true,
    });
  });
}
