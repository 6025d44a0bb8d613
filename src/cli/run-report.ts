import type { Session } from '../app/session/open-session';
import { serverRuns } from '../app/session/reach-server';
import { withConfiguredDefaults } from '../app/with-configured-defaults';
import type { StartedRun } from '../client/report-request';
import { requireEndpoint } from './request/require-endpoint';
import { checkSources } from './request/check-sources';
import type { CommandContext } from './command-context';
import { ExitCode, exitCodeOf } from './exit-code';
import { COMMAND } from './package-files';
import { leaveAtOnce } from './session/leave-at-once';
import { followRun } from './progress/follow-run';
import type { CheckedRequest } from './request/report-options';
import { deliverReport } from './results/deliver-report';
import { goOnIfParked, tellParked } from './progress/parked-run';
import { safeExcerpt } from './terminal/safe-text';
import { openCommandSession } from './session/command-session';
import { listenForStop } from './session/stop-signals';
import { ownWorkerLine } from './session/worker-lines';
import { count } from './results/report-excerpt';
import { runArgument } from './results/run-name';

/** The rest are counted. */
const WARNINGS_SHOWN = 20;

/** Starts a report, or joins a running one, follows it to its end and writes its files. */
export async function runReport(context: CommandContext, request: CheckedRequest): Promise<ExitCode> {
  const { terminal } = context;
  const signals = listenForStop();
  const wasStopped = (): boolean => signals.stopped.aborted;
  signals.onSecond(() => leaveAtOnce(context, request.config));
  let following = false;
  signals.stopped.addEventListener('abort', () => {
    if (!following) terminal.say('Stopping as soon as possible. Ctrl-C again leaves at once.');
  });
  try {
    await requireEndpoint(context, request.config, {
      waits: request.outages.afterwards === 'park',
      stopped: signals.stopped,
    });
    if (!request.detach && !(await serverRuns(request.config))) {
      await checkSources(request.paths, request.skipInvalid);
    }
    const session = await openCommandSession(context, request.config, {
      server: request.detach ? 'must-run' : 'start',
      worker: request.detach ? 'must-run' : 'start',
    });
    try {
      if (wasStopped()) return ExitCode.cancelled;
      const started = await start(session, request);
      announce(context, session, request, started);
      const keepWorker = async (): Promise<string | null> => {
        const work = await session.keepWorker();
        return work === null ? null : ownWorkerLine(work);
      };
      const news = await keepWorker();
      if (news !== null && !session.startedServer) terminal.say(news);
      if (request.detach) {
        if (request.json)
          terminal.printJson({ id: started.run.runId, status: 'running', attached: started.attached });
        else terminal.print(started.run.runId);
        return ExitCode.ok;
      }
      if (started.attached) await goOnIfParked(context, started.run);
      following = true;
      const followed = followRun(context, started.run, {
        stopped: signals.stopped,
        keepWorker,
        told: started.warnings,
        whatHelps: whatHelps(request),
      });
      const ended = await Promise.race([followed, session.serverLost]);
      if ('parked' in ended) {
        tellParked(context, { runId: started.run.runId, parked: ended.parked, json: request.json });
        return ExitCode.unreachable;
      }
      await deliverReport(context, session, started.run, ended, {
        outDir: request.config.outDir,
        json: request.json,
      });
      return wasStopped() ? ExitCode.cancelled : exitCodeOf(ended);
    } finally {
      await session.close();
    }
  } finally {
    signals.dispose();
  }
}

async function start(session: Session, request: CheckedRequest): Promise<StartedRun> {
  const { config } = request;
  const asked = withConfiguredDefaults(config, {
    question: request.question,
    sources: { paths: request.paths, skipInvalid: request.skipInvalid },
    ...(request.runId === undefined ? {} : { runId: request.runId }),
    again: request.again,
    outages: request.outages,
    searchAttributes: session.searchAttributes,
  });
  return session.client.startReport(asked);
}

function whatHelps({ config }: CheckedRequest): string {
  return config.temporal.address === null
    ? 'The run is kept, and goes on when the server is back: it is started again.'
    : 'The run is kept, and goes on when the server is back.';
}

function announce(
  context: CommandContext,
  session: Session,
  request: CheckedRequest,
  started: StartedRun,
): void {
  const { terminal } = context;
  const { runId } = started.run;
  if (started.attached) {
    terminal.say(`Run ${runId} is running already: following it. Ctrl-C cancels it.`);
  } else {
    terminal.say(`Run ${runId}: ${safeExcerpt(request.question, 160)}`);
    if (started.sources !== null)
      terminal.say(`${count(started.sources, 'source')} read, ${request.config.engine} engine.`);
  }
  const warnings = started.warnings.map(({ message }) => `Warning: ${safeExcerpt(message, 300)}`);
  for (const warning of warnings.slice(0, WARNINGS_SHOWN)) terminal.say(warning);
  if (warnings.length > WARNINGS_SHOWN)
    terminal.say(
      `… and ${count(warnings.length - WARNINGS_SHOWN, 'more warning')}; the report has all of them.`,
    );
  if (request.detach) terminal.say(`Follow it with: ${COMMAND} watch ${runArgument(runId)}`);
  else {
    const url = session.runUrl(runId);
    if (url !== null) terminal.say(`Web UI: ${url}`);
  }
}
