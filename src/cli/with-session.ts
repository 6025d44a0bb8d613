import type { Session } from '../app/session';
import type { RunHandle } from '../client/run-handle';
import { type CommandContext, type ExitCode, runIdProblems, UsageError } from './command-context';

/** Does one thing with one run on the server of this folder, and leaves everything as it was. */
export async function withRun(
  context: CommandContext,
  runId: string,
  act: (given: { run: RunHandle; session: Session }) => Promise<ExitCode>,
): Promise<ExitCode> {
  const problems = runIdProblems(runId, 'ID');
  if (problems.length > 0) throw new UsageError(problems);
  return withSession(context, (session) => act({ run: session.client.run(runId), session }));
}

/** As `withRun`, for what concerns no single run. */
export async function withSession(
  context: CommandContext,
  act: (session: Session) => Promise<ExitCode>,
): Promise<ExitCode> {
  // Only now, so that help and usage errors come at once: the Temporal packages take half a second to load.
  const { openCommandSession } = await import('./command-session.js');
  const session = await openCommandSession(context, context.loadConfig(), {
    server: 'start-if-used-before',
    worker: 'none',
  });
  try {
    return await act(session);
  } finally {
    await session.close();
  }
}
