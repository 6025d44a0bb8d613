import type { ClosedRun } from '../client/run-handle';

/** What the shell sees (decision 3 of the design). */
export const ExitCode = { ok: 0, failed: 1, usage: 2, unreachable: 3, cancelled: 130 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The exit code of a command that waited for a run. A partial report is a success with a warning. */
export function exitCodeOf({ status, engineUnreachable }: ClosedRun): ExitCode {
  if (status === 'failed') return engineUnreachable ? ExitCode.unreachable : ExitCode.failed;
  return status === 'cancelled' ? ExitCode.cancelled : ExitCode.ok;
}
