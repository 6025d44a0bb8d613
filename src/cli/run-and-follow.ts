import type { Session } from '../app/session/open-session';
import type { ClosedRun, RunHandle } from '../client/run-handle';
import type { TakenUp } from '../client/run-request';
import type { Config } from '../config/config';
import type { OutageSettings } from '../contracts/run/outages';
import type { CommandContext } from './command-context';
import { ExitCode, exitCodeOf } from './exit-code';
import { COMMAND } from './package-files';
import { followRun } from './progress/follow-run';
import { goOnIfParked, tellLimited, tellParked } from './progress/parked-run';
import { requireEndpoint } from './request/require-endpoint';
import { count } from '../core/values/grouped-digits';
import { estimateLine, LIMIT_FLAGS, warningLine, withLimitNames } from './results/print-estimate';
import { runArgument } from './results/run-name';
import { openCommandSession } from './session/command-session';
import { leaveAtOnce } from './session/leave-at-once';
import { listenForStop } from './session/stop-signals';
import { ownWorkerLine } from './session/worker-lines';
import { safeExcerpt } from './terminal/safe-text';

const WARNINGS_SHOWN = 20;

const OTHER_WORKER =
  'Another worker asks the models of this run, at its own endpoint: it needs COLLIGATE_ENGINE=local as well.';

export interface RunToFollow {
  question: string;
  config: Config;
  outages: OutageSettings;
  detach: boolean;
  json: boolean;
  /** What can go wrong without a server; nothing is started then. */
  checkBeforeServer(): Promise<void>;
  start(session: Session): Promise<TakenUp & { runId: string }>;
  /** What it rests on, such as `12 sources read`. */
  given(sources: number): string;
  deliver(session: Session, run: RunHandle, ended: ClosedRun): Promise<void>;
}

/** Starts a run, or joins a running one, follows it to its end and delivers what it left. */
export async function runAndFollow(context: CommandContext, wanted: RunToFollow): Promise<ExitCode> {
  const { terminal } = context;
  const signals = listenForStop(context.io.signals);
  const wasStopped = (): boolean => signals.stopped.aborted;
  signals.onSecond(() => leaveAtOnce(context, wanted.config));
  let following = false;
  signals.stopped.addEventListener('abort', () => {
    if (!following) terminal.say('Stopping as soon as possible. Ctrl-C again leaves at once.');
  });
  try {
    await requireEndpoint(context, wanted.config, {
      waits: wanted.outages.afterwards === 'park',
      stopped: signals.stopped,
    });
    await wanted.checkBeforeServer();
    const session = await openCommandSession(context, wanted.config, {
      server: wanted.detach ? 'must-run' : 'start',
      worker: wanted.detach ? 'must-run' : 'start',
    });
    try {
      if (wasStopped()) return ExitCode.cancelled;
      const started = await withLimitNames(LIMIT_FLAGS, () => wanted.start(session));
      const run = session.client.run(started.runId);
      announce(context, session, wanted, started);
      const keepWorker = async (): Promise<string | null> => {
        const work = await session.keepWorker();
        return work === null ? null : ownWorkerLine(work);
      };
      const news = await keepWorker();
      if (news !== null && !session.startedServer) terminal.say(news);
      if (news === null && wanted.config.localModels !== null) terminal.say(OTHER_WORKER);
      if (wanted.detach) {
        if (wanted.json) terminal.printJson({ id: run.runId, status: 'running', attached: started.attached });
        else terminal.print(run.runId);
        return ExitCode.ok;
      }
      if (started.attached) await goOnIfParked(context, run);
      following = true;
      const followed = followRun(context, run, {
        stopped: signals.stopped,
        leavesLimited: wanted.outages.outlastsLimits === true,
        keepWorker,
        told: started.warnings,
        whatHelps: whatHelps(wanted),
      });
      const ended = await Promise.race([followed, session.serverLost]);
      if ('parked' in ended) {
        tellParked(context, { runId: run.runId, parked: ended.parked, json: wanted.json });
        return ExitCode.unreachable;
      }
      if ('limited' in ended) {
        tellLimited(context, { runId: run.runId, limited: ended.limited, json: wanted.json });
        return ExitCode.unreachable;
      }
      await wanted.deliver(session, run, ended);
      return wasStopped() ? ExitCode.cancelled : exitCodeOf(ended);
    } finally {
      await session.close();
    }
  } finally {
    signals.dispose();
  }
}

function whatHelps({ config }: RunToFollow): string {
  return config.temporal.address === null
    ? 'The run is kept, and goes on when the server is back: it is started again.'
    : 'The run is kept, and goes on when the server is back.';
}

function announce(
  { terminal }: CommandContext,
  session: Session,
  wanted: RunToFollow,
  { runId, attached, sources, warnings, estimate }: TakenUp & { runId: string },
): void {
  if (attached) {
    terminal.say(`Run ${runId} is running already: following it. Ctrl-C cancels it.`);
  } else {
    terminal.say(`Run ${runId}: ${safeExcerpt(wanted.question, 160)}`);
    if (sources !== null) terminal.say(`${wanted.given(sources)}, ${wanted.config.engine} engine.`);
    if (estimate !== null) terminal.say(estimateLine(estimate, LIMIT_FLAGS));
  }
  const lines = warnings.map((warning) => warningLine(warning, LIMIT_FLAGS));
  for (const line of lines.slice(0, WARNINGS_SHOWN)) terminal.say(line);
  if (lines.length > WARNINGS_SHOWN)
    terminal.say(
      `… and ${count(lines.length - WARNINGS_SHOWN, 'more warning')}; the report has all of them.`,
    );
  if (wanted.detach) terminal.say(`Follow it with: ${COMMAND} watch ${runArgument(runId)}`);
  else {
    const url = session.runUrl(runId);
    if (url !== null) terminal.say(`Web UI: ${url}`);
  }
}
