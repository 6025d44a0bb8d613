import type { Command } from 'commander';
import { loadConfig } from '../../config/config';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { setOption } from './set-option';

export function addDevCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('dev')
    .summary('a server with its Web UI, and a worker: both until Ctrl-C')
    .description(
      'Starts the Temporal server of this folder with its Web UI, and a worker, and runs both until Ctrl-C. Runs made ' +
        'before with "report" or "demo" are there again.',
    )
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output when both are ready')
    .addHelpText('after', '\nExample:\n  $ colligate dev');
  answerWith(command, context, async (options: { json?: boolean; set?: string[] }): Promise<ExitCode> => {
    const { serveUntilStopped } = await import('../session/serve.js');
    return serveUntilStopped(context, loadConfig({ set: options.set }), {
      server: true,
      worker: true,
      json: options.json === true,
    });
  });
}
