import { NoServerError, NoWorkerError, type WorkKind } from '../app/app-errors';
import type { Config } from '../app/config';
import { openSession, type Session, type SessionNeeds } from '../app/session';
import { killOwnServer, type OnSessionEvent, type SessionEvent } from '../app/session-server';
import type { WriteLogLine } from '../app/worker-life';
import type { Stores } from '../stores/stores';
import { COMMAND, type CommandContext, ExitCode, UsageError } from './command-context';
import { safeExcerpt, type Terminal } from './terminal';

export async function openCommandSession(
  context: CommandContext,
  config: Config,
  needs: SessionNeeds,
  stores?: Stores,
): Promise<Session> {
  const { terminal } = context;
  context.showStacks = hasVerboseLog(config);
  try {
    return await openSession({
      config: { ...config, logLevel: quietLevel(config) },
      needs,
      tell: progressReporter(terminal),
      ...(stores === undefined ? {} : { stores }),
      workerLog: hasVerboseLog(config) ? context.io.stderr : workerLogPrinter(terminal),
    });
  } catch (error) {
    throw withAdvice(error, needs);
  }
}

/** A worker logs only errors beside a progress line, unless the user asks for more. */
function quietLevel({ logLevel }: Config): Config['logLevel'] {
  return logLevel === 'info' || logLevel === 'warn' ? 'error' : logLevel;
}

const MISSING_WORKER: Readonly<Record<WorkKind, (queues: string) => string>> = {
  runs: () => 'no worker is running',
  computing: (queues) => `no worker that runs reads texts (${queues} is not polled)`,
  'model-calls': (queues) => `no worker that runs has a model endpoint (${queues} is not polled)`,
};

function withAdvice(error: unknown, needs: SessionNeeds): unknown {
  if (error instanceof NoWorkerError)
    return detachProblem(MISSING_WORKER[error.lacking](error.queues.join(', ')));
  if (!(error instanceof NoServerError)) return error;
  if (needs.server === 'must-run') return detachProblem('no server is running');
  return new NoServerError(
    `${error.message} Start a server and a worker with "${COMMAND} dev", or make a run with "${COMMAND} report".`,
  );
}

function detachProblem(what: string): UsageError {
  return new UsageError([
    `--detach needs a server and a worker that go on after this command, and ${what}. ` +
      `Run "${COMMAND} dev" in another terminal, or leave out --detach.`,
  ]);
}

/** Ends the command at once, and the embedded server too if no other process uses it. */
export function exitImmediately({ terminal, leave }: CommandContext, config: Pick<Config, 'dataDir'>): void {
  killOwnServer(config, progressReporter(terminal));
  leave(ExitCode.cancelled);
}

const LOG_LINE_CHARS = 500;

export function progressReporter(terminal: Terminal): OnSessionEvent {
  return (news) => {
    // Only this message can come while a progress line is drawn.
    if (news.what === 'server-state') terminal.interject(news.line);
    else terminal.say(newsText(news));
  };
}

export function workerLogPrinter({ interject }: Terminal): WriteLogLine {
  return (line) => interject(safeExcerpt(line, LOG_LINE_CHARS));
}

function newsText(news: SessionEvent): string {
  switch (news.what) {
    case 'server-prepared':
    case 'server-state':
      return news.line;
    case 'server-started':
      return `No Temporal server is running: an embedded one at ${news.address} and a worker in this process do the run.`;
    case 'server-was-left':
      return `A command that was killed had left the Temporal server at ${news.address} running: this one uses it, and stops it at its end.`;
    case 'server-stays':
      return `The Temporal server at ${news.address} stays: other commands use it.`;
    case 'no-search-attributes':
      return `The Web UI cannot filter runs by pass and status: ${news.reason}.`;
  }
}

const OWN_WORKER: Readonly<Record<WorkKind, string>> = {
  runs: 'No worker was polling: a worker in this process does the run.',
  computing: 'No worker that reads the texts was polling: one in this process does.',
  'model-calls': 'No worker with a model endpoint was polling: one in this process asks the models.',
};

export function ownWorkerLine(work: WorkKind): string {
  return OWN_WORKER[work];
}

export function workersLine(unpolled: readonly string[]): string {
  return unpolled.length > 0
    ? `No worker polls ${unpolled.join(' and ')}: the run stands still. Start one with: ${COMMAND} worker`
    : 'A worker polls again: the run goes on.';
}

export function hasVerboseLog({ logLevel }: Pick<Config, 'logLevel'>): boolean {
  return logLevel === 'debug' || logLevel === 'trace';
}
