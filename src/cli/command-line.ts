import { CommanderError } from 'commander';
import type { CommandContext } from './command-context';
import { ExitCode } from './exit-code';
import { describeFailure } from './failures/describe-failure';
import { diskReason } from '../platform/disk-reason';
import { createProgram } from './program';
import { openTerminal } from './terminal/terminal';

/** Runs one command and resolves with its exit code, everything printed. Never rejects. */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  const terminal = openTerminal(process.stdout, process.stderr);
  const context: CommandContext = { terminal, exitCode: ExitCode.ok, showStacks: false };
  const json = argv.includes('--json');
  process.on('uncaughtException', (error) => {
    terminal.say(`${terminal.errorColours.red('error:')} ${describeFailure(error).message}`);
    if (context.showStacks) terminal.say(error.stack ?? '');
    process.exit(ExitCode.failed);
  });
  // Node ends a process that waits for nothing it knows of, without a word and as if all were well.
  const leave = (): void => {
    terminal.say(
      `${terminal.errorColours.red('error:')} The command ended without an answer. What it waited for never came; COLLIGATE_LOG_LEVEL=debug shows more.`,
    );
    process.exit(ExitCode.failed);
  };
  process.on('beforeExit', leave);
  try {
    await createProgram(context, { json }).parseAsync(argv);
  } catch (error) {
    const failure = describeFailure(error);
    context.exitCode = failure.exitCode;
    const said = error instanceof CommanderError && !json;
    if (failure.message !== '' && !said) {
      if (json) terminal.printJson({ error: { code: failure.code, message: failure.message } });
      terminal.say(`${terminal.errorColours.red('error:')} ${failure.message}`);
    }
    if (context.showStacks && error instanceof Error && error.stack !== undefined) terminal.say(error.stack);
  }
  await terminal.flush();
  const unwritten = terminal.outputFailure();
  if (unwritten !== null) {
    terminal.say(
      `${terminal.errorColours.red('error:')} Standard output could not be written: ${diskReason(unwritten)}.`,
    );
    if (context.exitCode === ExitCode.ok) context.exitCode = ExitCode.failed;
    await terminal.flush();
  }
  process.off('beforeExit', leave);
  return context.exitCode;
}
