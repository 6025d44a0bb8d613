import { CommanderError } from 'commander';
import { loadConfig } from '../config/config';
import { diskReason } from '../platform/disk-reason';
import type { CommandContext } from './command-context';
import type { CommandIo } from './command-io';
import { ExitCode } from './exit-code';
import { describeFailure } from './failures/describe-failure';
import { createProgram } from './program';
import { openTerminal } from './terminal/terminal';

export interface Cli {
  /** Resolves with the exit code when everything is printed. Never rejects. */
  run(): Promise<ExitCode>;
  /** Prints an error that nothing caught, in the command's own form. */
  reportUncaught(error: Error): void;
  /** Says that the command waits for something that never comes. */
  reportStalled(): void;
}

/** Runs one command and resolves with its exit code, everything printed. Never rejects. */
export function runCli(argv: readonly string[], io: CommandIo): Promise<ExitCode> {
  return createCli(argv, io).run();
}

/** The command line of `argv`, which starts behind the name of the program. */
export function createCli(argv: readonly string[], io: CommandIo): Cli {
  const terminal = openTerminal(io);
  const left = new AbortController();
  const context: CommandContext = {
    io,
    terminal,
    loadConfig: (given = {}) => loadConfig({ ...given, cwd: io.cwd, env: io.env }),
    exitCode: ExitCode.ok,
    showStacks: false,
    leave(exitCode) {
      context.exitCode = exitCode;
      left.abort();
    },
  };
  const json = argv.includes('--json');
  const sayError = (message: string): void =>
    terminal.say(`${terminal.errorColours.red('error:')} ${message}`);

  async function parse(): Promise<void> {
    try {
      await createProgram(context, { json }).parseAsync(argv, { from: 'user' });
    } catch (error) {
      const failure = describeFailure(error);
      context.exitCode = failure.exitCode;
      const said = error instanceof CommanderError && !json;
      if (failure.message !== '' && !said) {
        if (json) terminal.printJson({ error: { code: failure.code, message: failure.message } });
        sayError(failure.message);
      }
      if (context.showStacks && error instanceof Error && error.stack !== undefined)
        terminal.say(error.stack);
    }
    await terminal.flush();
    const unwritten = terminal.outputFailure();
    if (unwritten === null) return;
    sayError(`Standard output could not be written: ${diskReason(unwritten)}.`);
    if (context.exitCode === ExitCode.ok) context.exitCode = ExitCode.failed;
    await terminal.flush();
  }

  return {
    run() {
      const leaving = new Promise<ExitCode>((resolve) =>
        left.signal.addEventListener('abort', () => resolve(context.exitCode)),
      );
      return Promise.race([parse().then(() => context.exitCode), leaving]);
    },
    reportUncaught(error) {
      sayError(describeFailure(error).message);
      if (context.showStacks) terminal.say(error.stack ?? '');
    },
    reportStalled: () =>
      sayError(
        'The command ended without an answer. What it waited for never came; COLLIGATE_LOG_LEVEL=debug shows more.',
      ),
  };
}
