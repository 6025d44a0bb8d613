import { NoServerError } from '../app/app-errors';
import type { Config } from '../app/config';
import { openService, type Service } from '../app/service';
import { workerRoles } from '../contracts/run-settings';
import {
  COMMAND,
  type CommandContext,
  ExitCode,
  listenForStop,
  untilAborted,
  UsageError,
} from './command-context';
import { exitImmediately, hasVerboseLog, progressReporter, workerLogPrinter } from './command-session';
import type { RunningHttpServer } from './serve-http';

export interface ServeOptions {
  server: boolean;
  worker: boolean;
  face?: boolean;
  json: boolean;
}

export async function serveUntilStopped(
  context: CommandContext,
  config: Config,
  options: ServeOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const signals = listenForStop(context.io.signals);
  signals.onSecond(() => exitImmediately(context, config));
  try {
    const service = await open(context, config, options, signals.stopped);
    let face: RunningHttpServer | null = null;
    try {
      face = await openHttpIfRequested(context, config, options, service);
      announce(context, config, options, { ...service, faceUrl: face?.url ?? null });
      if (face !== null) terminal.say(face.wayIn);
      await Promise.race([untilAborted(signals.stopped), service.ended]);
      const finishes = options.worker && service.serverIsThere();
      terminal.say(
        finishes ? 'Stopping: what is under way finishes. Ctrl-C again leaves at once.' : 'Stopping.',
      );
      return ExitCode.ok;
    } finally {
      await face?.close();
      await service.close();
    }
  } finally {
    signals.dispose();
  }
}

async function open(
  { terminal, io }: CommandContext,
  config: Config,
  { server, worker }: ServeOptions,
  stopped: AbortSignal,
): Promise<Service> {
  const { address } = config.temporal;
  if (server && address !== null) {
    throw new UsageError([
      `TEMPORAL_ADDRESS names a server already, ${address}. Unset it to run one for this folder, or run "${COMMAND} worker".`,
    ]);
  }
  const tell = progressReporter(terminal);
  try {
    return await openService({
      config,
      server,
      worker,
      tell: (news) => {
        if (news.what !== 'server-started') tell(news);
      },
      workerLog: terminal.isWatched && !hasVerboseLog(config) ? workerLogPrinter(terminal) : io.stderr,
      stopped,
    });
  } catch (error) {
    if (!(error instanceof NoServerError)) throw error;
    throw new NoServerError(`${error.message} Start one with "${COMMAND} server" or "${COMMAND} dev".`);
  }
}

/** The service keeps the server alive. If the port is taken, as by another folder's server, any other is used. */
async function openHttpIfRequested(
  context: CommandContext,
  config: Config,
  { face }: ServeOptions,
  { server: { address }, stores }: Service,
): Promise<RunningHttpServer | null> {
  if (face !== true) return null;
  const { openHttpServer } = await import('./serve-http.js');
  const there = { ...config, temporal: { ...config.temporal, address } };
  return openHttpServer(context, there, { orElsewhere: true, stores: stores ?? undefined });
}

function announce(
  { terminal }: CommandContext,
  config: Config,
  options: ServeOptions,
  { server: { address, uiUrl, started }, healthUrl, faceUrl }: Service & { faceUrl: string | null },
): void {
  const { namespace, taskQueue } = config.temporal;
  const { roles } = config.worker;
  // The address of a server is the result of the command. A worker alone has no result.
  const tell = options.server ? terminal.print : terminal.say;
  if (options.json) {
    terminal.printJson({
      address,
      uiUrl,
      namespace,
      ...(options.worker ? { taskQueue, healthUrl } : {}),
      ...(faceUrl === null ? {} : { faceUrl }),
    });
    return;
  }
  if (options.server) {
    terminal.print(
      started
        ? `Temporal server   ${address}`
        : `Temporal server   ${address} (was running; it stays at least as long as this)`,
    );
    if (uiUrl !== null) terminal.print(`Web UI            ${uiUrl}/namespaces/${namespace}/workflows`);
  }
  if (faceUrl !== null) tell(`Pages and HTTP    ${faceUrl}`);
  if (options.worker)
    tell(
      `Worker            task queue ${taskQueue} on ${address}${roles.length < workerRoles.length ? `, for ${roles.join(' and ')}` : ''}`,
    );
  if (healthUrl !== null) tell(`Health            ${healthUrl}/readyz, metrics ${healthUrl}/metrics`);
  terminal.say('Ctrl-C stops it.');
}
