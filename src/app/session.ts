import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { ColligateClient } from '../client/colligate-client';
import { workerRoles } from '../contracts/run-settings';
import { openStores } from '../stores/open-stores';
import type { Stores } from '../stores/stores';
import { NoWorkerError, type WorkKind } from './app-errors';
import type { Config } from './config';
import { createStoreClient } from './open-colligate';
import { missingWork, queuesWithoutWorker } from './queue-pollers';
import { checkStart, openStoresAtStart } from './readiness';
import {
  type Close,
  closeAll,
  type OnSessionEvent,
  reachServer,
  type ServerNeed,
  type SupervisedServer,
  superviseServer,
} from './session-server';
import type { ColligateWorker } from './start-worker';
import { dataConverter } from './temporal/payload-encryption';
import { connectClient, type ServerTarget } from './temporal/temporal-connection';
import { registerSearchAttributes } from './temporal/temporal-server';
import type { WorkerLog } from './worker-life';

export interface SessionNeeds {
  server: ServerNeed;
  /** `start`: `keepWorker` starts a worker in this process if none polls. `must-run`: a worker must already run. */
  worker: 'start' | 'none' | 'must-run';
  checks?: boolean;
}

export interface Session {
  client: ColligateClient;
  stores: Stores;
  searchAttributes: boolean;
  /** True if this session started the server. It stops with the session unless others use it. */
  startedServer: boolean;
  runUrl: (runId: string) => string | null;
  /** Starts a worker if `needs.worker` allows it and a queue has none. Resolves to the work it takes over, else null. */
  keepWorker: () => Promise<WorkKind | null>;
  queuesWithoutWorker: () => Promise<string[]>;
  /** Never resolves; rejects with `ServerGoneError` if a supervised server died too often. */
  serverLost: Promise<never>;
  close: () => Promise<void>;
}

export interface SessionOptions {
  config: Config;
  needs: SessionNeeds;
  tell: OnSessionEvent;
  workerLog?: WorkerLog;
  /** Open stores of the caller, who closes them. By default the session opens and closes its own. */
  stores?: Stores;
}

/**
 * On failure it stops everything that it has started. Throws `NoServerError` or `NoWorkerError` if the server or a
 * worker is missing and may not be started.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { config, needs, tell, workerLog } = options;
  const closing: Close[] = [];
  const ended = new AbortController();
  let kept: SupervisedServer | null = null;
  const close = async (): Promise<void> => {
    ended.abort();
    const serverIsThere = kept === null || kept.isThere();
    await closeAll(closing.splice(0), { serverIsThere, config, tell });
  };
  try {
    const server = await reachServer(config, needs.server, tell);
    closing.push(() => server.stop());
    if (config.temporal.address === null && needs.server === 'start')
      kept = superviseServer(server, {
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
    const worker = createSessionWorker({
      connection,
      config,
      target,
      stores,
      ...(workerLog === undefined ? {} : { workerLog }),
    });
    closing.push(() => worker.drain());
    if (needs.worker === 'must-run') {
      const unpolled = await queuesWithoutWorker(connection, config);
      if (unpolled.length > 0) throw new NoWorkerError(missingWork(unpolled, config), unpolled);
    }
    const { namespace, taskQueue } = config.temporal;
    const attributes = needs.worker === 'none' ? null : await registerSearchAttributes(connection, namespace);
    if (attributes?.available === false) tell({ what: 'no-search-attributes', reason: attributes.reason });
    return {
      client: createStoreClient(config, { client, taskQueue, stores }),
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

interface SessionWorker {
  keep: () => Promise<WorkKind | null>;
  drain: () => Promise<void>;
}

function createSessionWorker(options: {
  connection: Connection;
  config: Config;
  target: ServerTarget;
  stores: Stores;
  workerLog?: WorkerLog;
}): SessionWorker {
  const { connection, config, target, stores, workerLog } = options;
  let worker: ColligateWorker | null = null;
  return {
    async keep() {
      if (worker !== null) return null;
      const unpolled = await queuesWithoutWorker(connection, config);
      if (unpolled.length === 0) return null;
      // Loaded late, because the module is slow to load and many sessions need no worker.
      const { startWorker } = await import('./start-worker.js');
      const started = await startWorker({
        // Roles apply to long-running workers only.
        config: { ...config, worker: { ...config.worker, roles: [...workerRoles] } },
        target,
        stores,
        ...(workerLog === undefined ? {} : { log: workerLog }),
      });
      worker = started;
      const forget = (): void => void (worker = null);
      started.ended.then(forget, forget);
      return missingWork(unpolled, config);
    },
    async drain() {
      await worker?.drain();
    },
  };
}

const POLL_MS = 3_000;

/** Reports queues without a worker at once and after each change. Never rejects. */
export async function watchWorkers(
  session: Pick<Session, 'queuesWithoutWorker'>,
  tell: (unpolled: readonly string[]) => void,
  ended: AbortSignal,
): Promise<void> {
  let told = false;
  while (!hasEnded(ended)) {
    const unpolled = await session.queuesWithoutWorker().catch(() => null);
    if (hasEnded(ended)) return;
    if (unpolled !== null && unpolled.length > 0 !== told) {
      told = unpolled.length > 0;
      tell(unpolled);
    }
    await delay(POLL_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** A function, because TypeScript assumes that the property does not change. */
function hasEnded(ended: AbortSignal): boolean {
  return ended.aborted;
}
