import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { setOption } from './set-option';

interface WorkerOptions {
  json?: boolean;
  roles?: string;
  set?: string[];
}

export function addWorkerCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('worker')
    .summary('a worker, in the foreground')
    .description(
      'Carries out runs until Ctrl-C, on the server that TEMPORAL_ADDRESS names or that runs for this folder. It lets ' +
        'what is under way finish; another worker takes up the rest.',
    )
    .option('--roles <roles>', 'which work it takes: runs, computing, models, with commas between them')
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output when it is ready')
    .addHelpText('after', '\nExamples:\n  $ colligate worker\n  $ colligate worker --roles computing,models');
  answerWith(command, context, async (options: WorkerOptions): Promise<ExitCode> => {
    const { serveUntilStopped } = await import('../session/serve.js');
    const given = { set: options.set, flags: { 'worker.roles': options.roles } };
    const config = await context.loadConfigWithModels(given, { mayLoad: false });
    return serveUntilStopped(context, config, {
      server: false,
      worker: true,
      json: options.json === true,
    });
  });
}
