import { InvalidArgumentError, type Command } from 'commander';
import { loadConfig } from '../../config';
import { answerWith, type CommandContext } from '../command-context';
import { deliverReport } from '../deliver-report';
import { eventLines } from '../event-line';
import { ExitCode, exitCodeOf } from '../exit-code';
import { leaveAtOnce } from '../leave-at-once';
import { NoServerError } from '../no-server-error';
import { runIdProblems } from '../request-problems';
import { prepareOutDir } from '../run-files';
import { openSession } from '../session';
import { listenForStop } from '../stop-signals';
import { UsageError } from '../usage-error';

interface WatchOptions {
  out?: string;
  after?: number;
  json?: boolean;
}

export function addWatchCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('watch')
    .summary('follow a run: phases, sections, conflicts, until it ends')
    .description(
      'Follows a run by its events until it ends: phases, sections with their findings, conflicts. Leaving it does not stop the run.',
    )
    .argument('<id>', 'the id of the run')
    .option('--out <folder>', 'write report.md and report.json there when it ends')
    .option('--after <number>', 'only events above this number', wholeNumber)
    .option('--json', 'print one JSON document on standard output when it ends')
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate watch changes\n  $ colligate watch changes --out reports',
    );
  answerWith(command, context, (id: string, options: WatchOptions) => watch(context, id, options));
}

async function watch(context: CommandContext, id: string, options: WatchOptions): Promise<ExitCode> {
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
    if (session.startedServer && !CLOSED.has(progress.status)) {
      throw new NoServerError(
        `Run ${id} stands still: neither a server nor a worker was running. Start them with "colligate dev", then watch it.`,
      );
    }
    for await (const event of run.events({ after: options.after ?? 0, signal: leave })) {
      const print = json ? terminal.say : terminal.print;
      for (const line of eventLines(event)) print(line);
    }
    if (leave.aborted) {
      terminal.say(`Run ${id} goes on. Watch it again with: colligate watch ${id}`);
      return ExitCode.cancelled;
    }
    const closed = await run.waitUntilClosed({ signal: leave });
    await deliverReport(context, session, run, closed, {
      outDir: options.out === undefined ? null : config.outDir,
      json,
    });
    return exitCodeOf(closed.status);
  } finally {
    await session.close();
    signals.dispose();
  }
}

const CLOSED: ReadonlySet<string> = new Set(['completed', 'partial', 'cancelled', 'failed']);

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number from 0.');
  return Number(text);
}
