import { NoServerError } from '../../temporal/no-server-error';
import type { Work } from '../../app/session/work';
import { NoWorkerError } from '../../app/session/no-worker-error';
import { openSession, type Session, type SessionNeeds } from '../../app/session/open-session';
import type { Config } from '../../config/config';
import type { Stores } from '../../stores/stores';
import type { CommandContext } from '../command-context';
import { wantsDetails } from '../log-level';
import { COMMAND } from '../package-files';
import { UsageError } from '../failures/usage-error';
import { logOn, tellOn } from './tell-news';

export async function openCommandSession(
  context: CommandContext,
  config: Config,
  needs: SessionNeeds,
  stores?: Stores,
): Promise<Session> {
  const { terminal } = context;
  context.showStacks = wantsDetails(config);
  try {
    return await openSession({
      config: { ...config, logLevel: quietLevel(config) },
      needs,
      tell: tellOn(terminal),
      ...(stores === undefined ? {} : { stores }),
      workerLog: wantsDetails(config) ? context.io.stderr : logOn(terminal),
    });
  } catch (error) {
    throw withAdvice(error, needs);
  }
}

/** Beside a progress line, a worker tells of nothing less than errors; whoever asks for more gets it. */
function quietLevel({ logLevel }: Config): Config['logLevel'] {
  return logLevel === 'info' || logLevel === 'warn' ? 'error' : logLevel;
}

const LACKING: Readonly<Record<Work, (queues: string) => string>> = {
  runs: () => 'no worker is running',
  computing: (queues) => `no worker that runs reads texts (${queues} is not polled)`,
  'model-calls': (queues) => `no worker that runs has a model endpoint (${queues} is not polled)`,
};

function withAdvice(error: unknown, needs: SessionNeeds): unknown {
  if (error instanceof NoWorkerError) return detachProblem(LACKING[error.lacking](error.queues.join(', ')));
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
