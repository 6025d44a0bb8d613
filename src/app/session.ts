import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { ColligateClient } from '../client/colligate-client';
import { workerRoles } from '../contracts/run-settings';
import { openStores } from '../stores/open-stores';
import type { Stores } from '../stores/stores';
import { NoWorkerError, type Work } from './app-errors';
import type { Config } from './config';
import { clientOver } from './open-colligate';
import { queuesWithoutWorker, workOf } from './queue-pollers';
import { checkStart, openStoresAtStart } from './readiness';
import {
  type Close,
  closeAll,
  keepServer,
  type KeptServer,
  reachServer,
  type ServerNeed,
  type Tell,
} from './session-server';
import type { ColligateWorker } from './start-worker';
import { dataConverter } from './temporal/payload-encryption';
import { connectClient, type ServerTarget } from './temporal/temporal-connection';
import { registerSearchAttributes } from './temporal/temporal-server';
import type { WorkerLog } from './worker-life';

export interface SessionNeeds {
  server: ServerNeed;
  /** `start`: one in this process where none polls, with `keepWorker`; `must-run`: one that runs already. */
  worker: 'start' | 'none' | 'must-run';
  /** Whether to refuse at once what requests would fail at. */
  checks?: boolean;
}

export interface Session {
  client: ColligateClient;
  stores: Stores;
  searchAttributes: boolean;
  /** True where this session started the server, so that it ends with the session unless others use it. */
  startedServer: boolean;
  /** The run in the Web UI, or null where its address is not known. */
  runUrl: (runId: string) => string | null;
  /** Starts a worker in this process where none polls and this session may have one; then tells what it does. */
  keepWorker: () => Promise<Work | null>;
  queuesWithoutWorker: () => Promise<string[]>;
  /** Never resolves; rejects with `ServerGoneError` where a server that this session keeps died too often. */
  serverLost: Promise<never>;
  /** Drains the worker, then leaves the server, which stops where nobody else uses it. */
  close: () => Promise<void>;
}

export interface SessionOptions {
  config: Config;
  needs: SessionNeeds;
  tell: Tell;
  /** Takes the log of this process's worker; it goes to standard error as JSON where this is absent. */
  workerLog?: WorkerLog;
  /** Those that this process has open; the caller closes them. Opened and closed here where they are absent. */
  stores?: Stores;
}

/**
 * Connects to the server, and starts what `needs` asks for. Everything started is stopped again where this fails. Throws
 * `NoServerError` or `NoWorkerError` where something is missing that may not be started.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { config, needs, tell, workerLog } = options;
  const closing: Close[] = [];
  const ended = new AbortController();
  let kept: KeptServer | null = null;
  const close = async (): Promise<void> => {
    ended.abort();
    const serverIsThere = kept === null || kept.isThere();
    await closeAll(closing.splice(0), { serverIsThere, config, tell });
  };
  try {
    const server = await reachServer(config, needs.server, tell);
    closing.push(() => server.stop());
    // The folder's server is that of all who do runs in it: whoever sees first that it died starts it again.
    if (config.temporal.address === null && needs.server === 'start')
      kept = keepServer(server, {
        mayStart: true,
        say: (line) => tell({ what: 'server-state', line }),
        stopped: ended.signal,
      });
    const target = { ...config.temporal, address: server.address };
    const { connection, client } = await connectClient(target, { dataConverter: dataConverter(config) });
    closing.push(() => connection.close());
    const stores =
      options.stores ?? (await (needs.checks === true ? openStoresAtStart(config) : openStores(config)));
    if (options.stores === undefined) closing.push(() => stores.close());
    if (needs.checks === true) await checkStart({ config, stores, address: server.address });
    const worker = createOwnWorker({
      connection,
      config,
      target,
      stores,
      ...(workerLog === undefined ? {} : { workerLog }),
    });
    closing.push(() => worker.drain());
    if (needs.worker === 'must-run') {
      const unpolled = await queuesWithoutWorker(connection, config);
      if (unpolled.length > 0) throw new NoWorkerError(workOf(unpolled, config), unpolled);
    }
    const { namespace, taskQueue } = config.temporal;
    const attributes = needs.worker === 'none' ? null : await registerSearchAttributes(connection, namespace);
    if (attributes?.available === false) tell({ what: 'no-search-attributes', reason: attributes.reason });
    return {
      client: clientOver(config, { client, taskQueue, stores }),
      stores,
      searchAttributes: attributes?.available ?? false,
      startedServer: server.started,
      runUrl: (runId) =>
        server.uiUrl === null
          ? null
          : `${server.uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(runId)}`,
      keepWorker: async () => (needs.worker === 'start' ? worker.keep() : null),
      queuesWithoutWorker: () => queuesWithoutWorker(connection, config),
      serverLost: kept?.lost ?? new Promise<never>(() => undefined),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface OwnWorker {
  /** Starts it where queues are not polled and it does not run yet; resolves with what it does now that nobody did. */
  keep: () => Promise<Work | null>;
  drain: () => Promise<void>;
}

function createOwnWorker(options: {
  connection: Connection;
  config: Config;
  target: ServerTarget;
  stores: Stores;
  workerLog?: WorkerLog;
}): OwnWorker {
  const { connection, config, target, stores, workerLog } = options;
  let worker: ColligateWorker | null = null;
  return {
    async keep() {
      if (worker !== null) return null;
      const unpolled = await queuesWithoutWorker(connection, config);
      if (unpolled.length === 0) return null;
      // Only now: many sessions never have a worker, and what it is made of takes long to load.
      const { startWorker } = await import('./start-worker.js');
      const started = await startWorker({
        // Roles are of workers that stay; this one does what nobody else does, whatever that comes to.
        config: { ...config, worker: { ...config.worker, roles: [...workerRoles] } },
        target,
        stores,
        ...(workerLog === undefined ? {} : { log: workerLog }),
      });
      worker = started;
      // One that ended by itself is started anew at the next look.
      const forget = (): void => void (worker = null);
      started.ended.then(forget, forget);
      return workOf(unpolled, config);
    },
    async drain() {
      await worker?.drain();
    },
  };
}

const LOOK_MS = 3_000;

/** Tells at once which queues nobody polls that runs need, where there are any, and later when that changes. Never rejects. */
export async function watchWorkers(
  session: Pick<Session, 'queuesWithoutWorker'>,
  tell: (unpolled: readonly string[]) => void,
  ended: AbortSignal,
): Promise<void> {
  let told = false;
  while (!hasEnded(ended)) {
    // Where the server is away nothing is known of workers.
    const unpolled = await session.queuesWithoutWorker().catch(() => null);
    if (hasEnded(ended)) return;
    if (unpolled !== null && unpolled.length > 0 !== told) {
      told = unpolled.length > 0;
      tell(unpolled);
    }
    // It rejects where the watching has ended, which ends the pause too.
    await delay(LOOK_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** A signal changes while others work, which the compiler does not expect of a property. */
function hasEnded(ended: AbortSignal): boolean {
  return ended.aborted;
}
