import type { Session } from '../app/session';
import type { RunHandle } from '../client/run-handle';
import { type CommandContext, type ExitCode, runIdProblems, UsageError } from './command-context';

export async function withRun(
  context: CommandContext,
  runId: string,
  act: (given: { run: RunHandle; session: Session }) => Promise<ExitCode>,
): Promise<ExitCode> {
  const problems = runIdProblems(runId, 'ID');
  if (problems.length > 0) throw new UsageError(problems);
  return withSession(context, (session) => act({ run: session.client.run(runId), session }));
}

export async function withSession(
  context: CommandContext,
  act: (session: Session) => Promise<ExitCode>,
): Promise<ExitCode> {
  // Lazy import: the Temporal packages take 0.5 s to load, and help and usage errors stay fast.
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
