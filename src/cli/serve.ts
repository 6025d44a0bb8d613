import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config';
import { openStores } from '../stores/lmdb/open-stores';
import { ensureServer, findServer, type RunningServer } from '../temporal/server';
import { connectClient, type ServerTarget } from '../temporal/connect';
import { ServerGoneError } from '../temporal/server-gone-error';
import { serverAnswers } from '../temporal/server-probe';
import type { ColligateWorker } from '../worker';
import { closeAll } from './close-all';
import type { CommandContext } from './command-context';
import { ExitCode } from './exit-code';
import { wantsDetails } from './log-level';
import { leaveAtOnce } from './leave-at-once';
import { NoServerError } from './no-server-error';
import { COMMAND } from './package-files';
import { safeExcerpt } from './safe-text';
import { listenForStop } from './stop-signals';
import { UsageError } from './usage-error';

/** What runs in the foreground: `server`, `worker`, or both as `dev`. */
export interface Service {
  server: boolean;
  worker: boolean;
  json: boolean;
}

const LOOK_MS = 2_000;
/** A busy machine may miss one look. */
const MISSES_ALLOWED = 3;
/** Without a server nobody takes what is under way, so it is not waited for longer; the stores survive that. */
const LEAVE_WITHOUT_SERVER_MS = 3_000;

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
  let serverIsGone = false;
  try {
    const server = await serverOf(context, config, service);
    closing.push(() => server.stop());
    const worker =
      service.worker && !signals.stopped.aborted ? await openWorker(context, config, server, closing) : null;
    announce(context, config, service, server);
    const ended = new AbortController();
    const stopped = AbortSignal.any([signals.stopped, ended.signal]);
    const reason = await Promise.race([
      untilAborted(stopped).then(() => null),
      config.temporal.address === null
        ? untilServerIsGone(server, stopped)
        : tellOfAbsences(context, { ...config.temporal, address: config.temporal.address }, stopped),
      ...(worker === null ? [] : [worker.ended.then(() => 'The worker has ended by itself.')]),
    ]).finally(() => ended.abort());
    if (reason !== null && !signals.stopped.aborted) {
      terminal.say(reason);
      return ExitCode.failed;
    }
    terminal.say(
      service.worker ? 'Stopping: what is under way finishes. Ctrl-C again leaves at once.' : 'Stopping.',
    );
    return ExitCode.ok;
  } catch (error) {
    serverIsGone = error instanceof ServerGoneError;
    throw error;
  } finally {
    if (serverIsGone)
      await Promise.race([closeAll(closing).catch(() => undefined), delay(LEAVE_WITHOUT_SERVER_MS)]);
    else await closeAll(closing);
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
  return ensureServer(config, { report: (message) => context.terminal.say(message) });
}

async function openWorker(
  { terminal }: CommandContext,
  config: Config,
  server: RunningServer,
  closing: (() => Promise<void>)[],
): Promise<ColligateWorker> {
  const stores = await openStores(config.dataDir);
  closing.push(() => stores.close());
  const { startWorker } = await import('../worker.js');
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

/** Rejects when the folder's own server does not answer any more: nothing brings that back by itself. */
async function untilServerIsGone({ address }: RunningServer, stopped: AbortSignal): Promise<never> {
  for (let misses = 0; misses < MISSES_ALLOWED;) {
    await untilNextLook(stopped);
    misses = (await serverAnswers(address)) ? 0 : misses + 1;
  }
  throw new ServerGoneError(address);
}

/** Somebody else's server comes back after an upgrade, and the worker asks it again all the while. Never settles. */
async function tellOfAbsences(
  { terminal }: CommandContext,
  target: ServerTarget,
  stopped: AbortSignal,
): Promise<never> {
  for (let misses = 0; ;) {
    await untilNextLook(stopped);
    const present = await connectClient(target, { timeoutMs: LOOK_MS })
      .then(({ connection }) => connection.close())
      .then(
        () => true,
        () => false,
      );
    if (present && misses >= MISSES_ALLOWED)
      terminal.say(`The Temporal server at ${target.address} answers again.`);
    misses = present ? 0 : misses + 1;
    if (misses === MISSES_ALLOWED)
      terminal.say(
        `The Temporal server at ${target.address} does not answer. Waiting until it does; Ctrl-C leaves.`,
      );
  }
}

/** Does not return once `stopped` has aborted. */
async function untilNextLook(stopped: AbortSignal): Promise<void> {
  await delay(LOOK_MS, undefined, { signal: stopped }).catch(() => untilNever());
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function untilNever(): Promise<never> {
  return new Promise(() => undefined);
}
