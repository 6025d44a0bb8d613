import type { ClosedRun, RunHandle } from '../client';
import { loadConfig } from '../config';
import { CLOSED_STATUSES } from './closed-statuses';
import type { CommandContext } from './command-context';
import { deliverReport } from './deliver-report';
import { eventLines } from './event-line';
import { ExitCode, exitCodeOf } from './exit-code';
import { leaveAtOnce } from './leave-at-once';
import { NoServerError } from './no-server-error';
import { COMMAND } from './package-files';
import { runIdProblems } from './request-problems';
import { prepareOutDir } from './run-files';
import { openSession } from './session';
import { listenForStop } from './stop-signals';
import { UsageError } from './usage-error';

export interface WatchOptions {
  out?: string;
  after?: number;
  json?: boolean;
}

/** Prints a run's events until it ends; leaving earlier does not stop the run. */
export async function watchRun(
  context: CommandContext,
  id: string,
  options: WatchOptions,
): Promise<ExitCode> {
  const problems = runIdProblems(id, 'ID');
  if (problems.length > 0) throw new UsageError(problems);
  const config = loadConfig({ flags: { outDir: options.out } });
  if (options.out !== undefined) await prepareOutDir(config.outDir);
  const { terminal } = context;
  const signals = listenForStop();
  signals.onSecond(() => leaveAtOnce(config));
  const leave = AbortSignal.any([signals.stopped, terminal.unread]);
  const session = await openSession(context, config, { server: 'start-if-used-before', worker: 'none' });
  try {
    const run = session.client.run(id);
    const progress = await run.progress();
    const json = options.json === true;
    if (session.startedServer && !CLOSED_STATUSES.has(progress.status)) {
      throw new NoServerError(
        `Run ${id} stands still: neither a server nor a worker was running. Start them with "${COMMAND} dev", then watch it.`,
      );
    }
    for await (const event of run.events({ after: options.after ?? 0, signal: leave })) {
      const print = json ? terminal.say : terminal.print;
      for (const line of eventLines(event)) print(line);
    }
    const closed = leave.aborted ? null : await closedUnlessLeft(run, leave);
    if (closed === null) {
      // Nobody reads any more, as with `| head`: that is no mistake, and there is nobody to tell.
      if (!signals.stopped.aborted) return ExitCode.ok;
      terminal.say(`Run ${id} goes on. Watch it again with: ${COMMAND} watch ${id}`);
      return ExitCode.cancelled;
    }
    await deliverReport(context, session, run, closed, {
      outDir: options.out === undefined ? null : config.outDir,
      json,
    });
    return exitCodeOf(closed);
  } finally {
    await session.close();
    signals.dispose();
  }
}

async function closedUnlessLeft(run: RunHandle, leave: AbortSignal): Promise<ClosedRun | null> {
  try {
    return await run.waitUntilClosed({ signal: leave });
  } catch (error) {
    if (leave.aborted) return null;
    throw error;
  }
}
