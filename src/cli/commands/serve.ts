import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { setOption } from './set-option';

export function addServeCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('serve')
    .summary('runs over HTTP, for services and pages: until Ctrl-C')
    .description(
      'Serves runs over HTTP: start, follow, steer, fetch. Its document is at /openapi.json. Workers carry the runs out: start one ' +
        'with "worker" or "dev". It listens on this machine alone unless http.host says otherwise; then each request needs a token.',
    )
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output when it is ready')
    .addHelpText('after', '\nExample:\n  $ colligate serve --set http.port=8080');
  answerWith(command, context, async (options: { json?: boolean; set?: string[] }): Promise<ExitCode> => {
    const { serveHttp } = await import('../session/serve-http.js');
    const { cwd, env } = context.io;
    const given = { set: options.set, cwd, env };
    return serveHttp(context, await context.loadConfigWithModels(given, { mayLoad: false }), {
      json: options.json === true,
    });
  });
}
