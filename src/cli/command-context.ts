import type { Command } from 'commander';
import { type ExitCode } from './exit-code';
import type { Terminal } from './terminal/terminal';

/** What a command gets from the process around it, and what it leaves there. */
export interface CommandContext {
  readonly terminal: Terminal;
  exitCode: ExitCode;
  /** Whether an unknown error shows its stack; set from the configured log level. */
  showStacks: boolean;
}

/** Makes `run` the command's action; what it resolves with becomes the exit code. */
export function answerWith(
  command: Command,
  context: CommandContext,
  run: (...given: never[]) => Promise<ExitCode>,
): Command {
  return command.action(async (...given: unknown[]) => {
    // Commander passes the declared arguments and options first, then the command itself; it does not know their types.
    context.exitCode = await run(...(given.slice(0, -1) as never[]));
  });
}
