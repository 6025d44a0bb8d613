import type { Config } from '../../config/config';
import { openStores } from '../../stores/lmdb/open-stores';
import { keepServer } from '../../temporal/keep-server';
import type { RunningServer } from '../../temporal/running-server';
import { ensureServer, findServer } from '../../temporal/server';
import type { ColligateWorker } from '../../worker';
import { closeAll, closeWithoutServer } from './close-all';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { wantsDetails } from '../log-level';
import { leaveAtOnce, takeServerAlong } from './leave-at-once';
import { NoServerError } from '../../temporal/no-server-error';
import { COMMAND } from '../package-files';
import { safeExcerpt } from '../terminal/safe-text';
import { tellIfLeft } from './left-server';
import { listenForStop } from './stop-signals';
import { UsageError } from '../usage-error';

/** What runs in the foreground: `server`, `worker`, or both as `dev`. */
export interface Service {
  server: boolean;
  worker: boolean;
  json: boolean;
}

/** Runs a server, a worker or both until a stop signal or until one of them ends by itself. */
export async function serveUntilStopped(
  context: CommandContext,
  config: Config,
  service: Service,
): Promise<ExitCode> {
  const { terminal } = context;
  const signals = listenForStop();
  signals.onSecond(() => leaveAtOnce(config));
  const closing: (() => Promise<void>)[] = [];
  const ended = new AbortController();
  let serverIsThere = (): boolean => true;
  try {
    const server = await serverOf(context, config, service);
    closing.push(() => server.stop());
    const worker =
      service.worker && !signals.stopped.aborted ? await openWorker(context, config, server, closing) : null;
    announce(context, config, service, server);
    // A worker alone is started and stopped by others than the server is: it waits for them.
    const kept = keepServer(server, {
      mayStart: service.server,
      say: terminal.say,
      stopped: AbortSignal.any([signals.stopped, ended.signal]),
    });
    serverIsThere = kept.isThere;
    await Promise.race([
      untilAborted(signals.stopped),
      kept.lost,
      ...(worker === null ? [] : [worker.ended]),
    ]);
    const finishes = service.worker && serverIsThere();
    terminal.say(
      finishes ? 'Stopping: what is under way finishes. Ctrl-C again leaves at once.' : 'Stopping.',
    );
    return ExitCode.ok;
  } finally {
    ended.abort();
    if (serverIsThere()) await closeAll(closing);
    else if (!(await closeWithoutServer(closing))) takeServerAlong(config);
    signals.dispose();
  }
}

async function serverOf(context: CommandContext, config: Config, service: Service): Promise<RunningServer> {
  const { address } = config.temporal;
  if (service.server && address !== null) {
    throw new UsageError([
      `TEMPORAL_ADDRESS names a server already, ${address}. Unset it to run one for this folder, or run "${COMMAND} worker".`,
    ]);
  }
  if (!service.server && address === null && (await findServer(config.dataDir)) === null) {
    throw new NoServerError(
      `No Temporal server is running for this folder. Start one with "${COMMAND} server" or "${COMMAND} dev".`,
    );
  }
  const server = await ensureServer(config, { report: (message) => context.terminal.say(message) });
  tellIfLeft(context, server);
  return server;
}

async function openWorker(
  { terminal }: CommandContext,
  config: Config,
  server: RunningServer,
  closing: (() => Promise<void>)[],
): Promise<ColligateWorker> {
  const stores = await openStores(config.dataDir);
  closing.push(() => stores.close());
  const { startWorker } = await import('../../worker.js');
  const worker = await startWorker({
    config,
    target: { ...config.temporal, address: server.address },
    stores,
    ...(terminal.isWatched && !wantsDetails(config)
      ? { say: (line: string) => terminal.say(safeExcerpt(line, 500)) }
      : {}),
  });
  closing.push(() => worker.drain());
  return worker;
}

function announce(
  { terminal }: CommandContext,
  config: Config,
  service: Service,
  server: RunningServer,
): void {
  const { address, uiUrl, started } = server;
  const { namespace, taskQueue } = config.temporal;
  if (service.json) {
    terminal.printJson({ address, uiUrl, namespace, ...(service.worker ? { taskQueue } : {}) });
    return;
  }
  if (service.server) {
    terminal.print(
      started
        ? `Temporal server   ${address}`
        : `Temporal server   ${address} (was running; it stays at least as long as this)`,
    );
    if (uiUrl !== null) terminal.print(`Web UI            ${uiUrl}/namespaces/${namespace}/workflows`);
  }
  if (service.worker) terminal.print(`Worker            task queue ${taskQueue} on ${address}`);
  terminal.say('Ctrl-C stops it.');
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
