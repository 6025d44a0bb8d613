import type { Command } from 'commander';
import type { Config } from '../config/config';
import type { Sources } from '../config/read-given';
import type { CommandIo } from './command-io';
import { type ExitCode } from './exit-code';
import type { Terminal } from './terminal/terminal';

export type GivenSettings = Pick<Sources, 'set' | 'flags'>;

export interface CommandContext {
  readonly io: CommandIo;
  readonly terminal: Terminal;
  readonly loadConfig: (given?: GivenSettings) => Config;
  /**
   * The same, with the models of this machine and their windows for what asks models. Throws `NoLocalModelError` as well.
   * `mayLoad` where a model is asked at once.
   */
  readonly loadConfigWithModels: (given: GivenSettings, options: { mayLoad: boolean }) => Promise<Config>;
  exitCode: ExitCode;
  /** Whether an unknown error shows its stack; set from the configured log level. */
  showStacks: boolean;
  /** Ends the command now with this exit code, whatever is under way. */
  readonly leave: (exitCode: ExitCode) => void;
}

export type RequestContext = Pick<CommandContext, 'io' | 'loadConfig' | 'loadConfigWithModels'>;

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
