import type { Config } from '../../config/config';
import type { Stores } from '../../stores/stores';
import { keepServer, type KeptServer } from '../../temporal/keep-server';
import type { RunningServer } from '../../temporal/running-server';
import type { WorkerLog } from '../worker/worker-runtime';
import { closeAll, type Close } from './close-all';
import { openHealth } from '../health/open-health';
import type { Tell } from './news';
import { reachServer } from './reach-server';
import { checkStart, openStoresAtStart } from './start-checks';

export interface ServiceOptions {
  config: Config;
  server: boolean;
  worker: boolean;
  tell: Tell;
  /** Takes the worker's log; it goes to standard error as JSON where this is absent. */
  workerLog?: WorkerLog;
  /** Nothing more is opened once it has aborted. */
  stopped: AbortSignal;
}

export interface Service {
  server: Pick<RunningServer, 'address' | 'uiUrl' | 'started'>;
  /** Where the worker tells its health and metrics; null where it does not. */
  healthUrl: string | null;
  /** The worker's: no process opens the same twice. Null where there is none. */
  stores: Stores | null;
  /** Resolves where the worker has ended by itself; rejects with `ServerGoneError` where the server died too often. */
  ended: Promise<void>;
  /** Whether the server was there at the last look: what is under way finishes then. */
  serverIsThere: () => boolean;
  close: () => Promise<void>;
}

/** Opens what is asked for. Throws `NoServerError` where a worker alone has no server. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, tell, stopped } = options;
  const closing: Close[] = [];
  const closed = new AbortController();
  let kept: KeptServer | null = null;
  const serverIsThere = (): boolean => kept === null || kept.isThere();
  const close = async (): Promise<void> => {
    closed.abort();
    await closeAll(closing.splice(0), { serverIsThere: serverIsThere(), config, tell });
  };
  try {
    const server = await reachServer(config, options.server ? 'start' : 'must-run', tell);
    closing.push(() => server.stop());
    const worker =
      options.worker && !stopped.aborted ? await openWorker(options, server.address, closing) : null;
    kept = keepServer(server, {
      // A worker alone is started and stopped by others than the server is: it waits for them.
      mayStart: options.server,
      say: (line) => tell({ what: 'server-state', line }),
      stopped: AbortSignal.any([stopped, closed.signal]),
    });
    const ended = Promise.race([kept.lost, ...(worker === null ? [] : [worker.ended])]);
    ended.catch(() => undefined); // whoever awaits it is told
    return {
      server,
      healthUrl: worker?.healthUrl ?? null,
      stores: worker?.stores ?? null,
      ended,
      serverIsThere,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openWorker(
  { config, workerLog }: ServiceOptions,
  address: string,
  closing: Close[],
): Promise<{ ended: Promise<void>; healthUrl: string | null; stores: Stores }> {
  const health = await openHealth(config, address);
  if (health !== null) closing.push(() => health.close());
  const stores = await openStoresAtStart(config);
  closing.push(() => stores.close());
  await checkStart({ config, stores, address });
  const { startWorker } = await import('../worker/start-worker.js');
  const worker = await startWorker({
    config,
    target: { ...config.temporal, address },
    stores,
    ...(health === null ? {} : { metrics: health.metrics }),
    ...(workerLog === undefined ? {} : { log: workerLog }),
  });
  health?.of(worker, stores);
  closing.push(async () => {
    health?.drains();
    await worker.drain();
  });
  return { ended: worker.ended, healthUrl: health?.url ?? null, stores };
}
