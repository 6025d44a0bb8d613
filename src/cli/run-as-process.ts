import { processEnvironment } from '../config/config';
import { ExitCode } from './exit-code';
import { createCli } from './run-cli';

/** Runs the command line of `argv` as this process, and ends the process with its exit code. */
export async function runAsProcess(argv: readonly string[]): Promise<void> {
  const cli = createCli(argv, {
    stdout: process.stdout,
    stderr: process.stderr,
    // Opened only when it is read: it may be closed.
    get stdin() {
      return process.stdin;
    },
    env: processEnvironment(),
    cwd: process.cwd(),
    signals: process,
  });
  process.on('uncaughtException', (error) => {
    cli.reportUncaught(error);
    process.exit(ExitCode.failed);
  });
  // Node ends a process that waits for nothing it knows of, without a word and with exit code 0.
  process.on('beforeExit', () => {
    cli.reportStalled();
    process.exit(ExitCode.failed);
  });
  process.exit(await cli.run());
}
