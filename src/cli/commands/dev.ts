import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { setOption } from './set-option';

export function addDevCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('dev')
    .summary('a server with its Web UI, a worker, and pages to work in: until Ctrl-C')
    .description(
      'Starts the Temporal server of this folder with its Web UI, a worker, and the pages and HTTP of "serve", and runs them until ' +
        'Ctrl-C. Runs made before with "report" or "demo" are there again.',
    )
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output when all are ready')
    .addHelpText('after', '\nExample:\n  $ colligate dev');
  answerWith(command, context, async (options: { json?: boolean; set?: string[] }): Promise<ExitCode> => {
    const { serveUntilStopped } = await import('../session/serve.js');
    const { cwd, env } = context.io;
    const given = { set: options.set, cwd, env };
    return serveUntilStopped(context, await context.loadConfigWithModels(given, { mayLoad: false }), {
      server: true,
      worker: true,
      face: true,
      json: options.json === true,
    });
  });
}
