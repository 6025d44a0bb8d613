import { existsSync } from 'node:fs';
import type { Connection } from '@temporalio/client';
import { type ColligateClient, createColligateClient } from '../../client';
import { traitsOf } from '../../contracts/run/engines';
import type { Config } from '../../config/config';
import { openStores } from '../../stores/lmdb/open-stores';
import { connectClient } from '../../temporal/connect';
import { unpolledQueues } from '../../temporal/pollers';
import { registerSearchAttributes } from '../../temporal/register-search-attributes';
import type { RunningServer } from '../../temporal/running-server';
import { keepServer, type KeptServer } from '../../temporal/keep-server';
import { ensureServer, findServer } from '../../temporal/server';
import { serverFiles } from '../../temporal/server-record';
import type { ColligateWorker } from '../../worker';
import type { CommandContext } from '../command-context';
import { closeAll, closeWithoutServer } from './close-all';
import { takeServerAlong } from './leave-at-once';
import { tellIfLeft } from './left-server';
import { wantsDetails } from '../log-level';
import { neededQueues } from './needed-queues';
import { NoServerError } from '../../temporal/no-server-error';
import { COMMAND } from '../package-files';
import { safeExcerpt } from '../terminal/safe-text';
import { UsageError } from '../usage-error';

/** What a command needs of the machinery. */
export interface SessionNeeds {
  /** `start`: an embedded one where none runs; `start-if-used-before`: only where this folder has runs; `must-run`: none is started. */
  server: 'start' | 'start-if-used-before' | 'must-run';
  /** `start`: one in this process where none polls, with `keepWorker`; `must-run`: one that runs already. */
  worker: 'start' | 'none' | 'must-run';
}

/** A connection to the runs of a folder or a server, and what was started for it. */
export interface Session {
  client: ColligateClient;
  /** Whether runs may set search attributes. */
  searchAttributes: boolean;
  /** True where this command started the server, so that it ends with the command unless others use it. */
  startedServer: boolean;
  /** The run in the Web UI, or null where its address is not known. */
  runUrl: (runId: string) => string | null;
  /** Starts a worker in this process where none polls and this command may have one; then says so in a sentence. */
  keepWorker: () => Promise<string | null>;
  /** Which queues nobody polls that runs by this configuration need. */
  queuesWithoutWorker: () => Promise<string[]>;
  /** Never resolves; rejects with `ServerGoneError` where a server that this command keeps died too often. */
  serverLost: Promise<never>;
  /** Drains the worker, then leaves the server, which stops where nobody else uses it. */
  close: () => Promise<void>;
}

/** Connects to the server, and starts what `needs` asks for. Everything started is stopped again where this fails. */
export async function openSession(
  context: CommandContext,
  config: Config,
  needs: SessionNeeds,
): Promise<Session> {
  const { terminal } = context;
  context.showStacks = wantsDetails(config);
  const closing: (() => Promise<void>)[] = [];
  const ended = new AbortController();
  let kept: KeptServer | null = null;
  const close = async (): Promise<void> => {
    ended.abort();
    const opened = closing.splice(0);
    if (kept === null || kept.isThere()) await closeAll(opened);
    else if (!(await closeWithoutServer(opened))) takeServerAlong(config);
  };
  try {
    const server = await reachServer(context, config, needs.server);
    closing.push(() => server.stop());
    if (server.started && needs.server === 'start') {
      terminal.say(
        `No Temporal server is running: an embedded one at ${server.address} and a worker in this process do the run.`,
      );
    }
    tellIfLeft(context, server);
    // The folder's server is any command's that does runs in it: whoever sees first that it died starts it again.
    if (config.temporal.address === null && needs.server === 'start')
      kept = keepServer(server, { mayStart: true, say: terminal.interject, stopped: ended.signal });
    const target = { ...config.temporal, address: server.address };
    const { connection, client } = await connectClient(target);
    closing.push(() => connection.close());
    const stores = await openStores(config.dataDir);
    closing.push(() => stores.close());
    let worker: ColligateWorker | null = null;
    closing.push(async () => worker?.drain());
    const keepWorker = async (): Promise<string | null> => {
      if (needs.worker !== 'start' || worker !== null) return null;
      const unpolled = await queuesWithoutWorker(connection, config);
      if (unpolled.length === 0) return null;
      const { startWorker } = await import('../../worker.js');
      const started = await startWorker({
        config: { ...config, logLevel: quietLevel(config) },
        target,
        stores,
        ...(wantsDetails(config)
          ? {}
          : { say: (line: string) => terminal.interject(safeExcerpt(line, 500)) }),
      });
      worker = started;
      // One that ended by itself is started anew at the next look.
      const forget = (): void => void (worker = null);
      started.ended.then(forget, forget);
      return unpolled.includes(config.temporal.taskQueue)
        ? 'No worker was polling: a worker in this process does the run.'
        : 'No worker with a model endpoint was polling: one in this process asks the models.';
    };
    if (needs.worker === 'must-run') {
      const unpolled = await queuesWithoutWorker(connection, config);
      if (unpolled.includes(config.temporal.taskQueue)) throw detachProblem('no worker is running');
      if (unpolled.length > 0)
        throw detachProblem(
          `no worker that runs has a model endpoint (${unpolled.join(', ')} is not polled)`,
        );
    }
    const attributes =
      needs.worker === 'none' ? null : await registerSearchAttributes(connection, config.temporal.namespace);
    if (attributes?.available === false)
      terminal.say(`The Web UI cannot filter runs by pass and status: ${attributes.reason}.`);
    const { namespace, taskQueue } = config.temporal;
    return {
      client: createColligateClient({
        client,
        taskQueue,
        content: stores.content,
        events: stores.events,
        responses: stores.responses,
      }),
      searchAttributes: attributes?.available ?? false,
      startedServer: server.started,
      runUrl: (runId) =>
        server.uiUrl === null
          ? null
          : `${server.uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(runId)}`,
      keepWorker,
      queuesWithoutWorker: () => queuesWithoutWorker(connection, config),
      serverLost: kept?.lost ?? new Promise<never>(() => undefined),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether there is a server already, so that none would be started. */
export async function serverRuns(config: Config): Promise<boolean> {
  return config.temporal.address !== null || (await findServer(config.dataDir)) !== null;
}

async function reachServer(
  context: CommandContext,
  config: Config,
  need: SessionNeeds['server'],
): Promise<RunningServer> {
  if (config.temporal.address === null && need !== 'start') {
    const running = await findServer(config.dataDir);
    if (running === null && need === 'must-run') throw detachProblem('no server is running');
    if (running === null && !existsSync(serverFiles(config.dataDir).database)) {
      throw new NoServerError(
        `No Temporal server is running, and no run was made in ${config.dataDir} yet. ` +
          `Start a server and a worker with "${COMMAND} dev", or make a run with "${COMMAND} report".`,
      );
    }
  }
  return ensureServer(config, { report: (message) => context.terminal.say(message) });
}

/** Beside a progress line, a worker tells of nothing less than errors; whoever asks for more gets it. */
function quietLevel({ logLevel }: Config): Config['logLevel'] {
  return logLevel === 'info' || logLevel === 'warn' ? 'error' : logLevel;
}

/** The queues that this command's runs need, and nobody polls. */
function queuesWithoutWorker(connection: Connection, { temporal, engine }: Config): Promise<string[]> {
  const queues = neededQueues(temporal.taskQueue, traitsOf(engine));
  return unpolledQueues(connection, { namespace: temporal.namespace, queues });
}

function detachProblem(what: string): UsageError {
  return new UsageError([
    `--detach needs a server and a worker that go on after this command, and ${what}. ` +
      `Run "${COMMAND} dev" in another terminal, or leave out --detach.`,
  ]);
}
