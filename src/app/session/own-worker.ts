import type { Connection } from '@temporalio/client';
import type { Config } from '../../config/config';
import { workerRoles } from '../../contracts/run/worker-roles';
import type { Stores } from '../../stores/stores';
import type { ServerTarget } from '../../temporal/connect';
import type { ColligateWorker } from '../worker/start-worker';
import type { WorkerLog } from '../worker/worker-runtime';
import { queuesWithoutWorker, workOf } from './needed-queues';
import type { Work } from './work';

export interface OwnWorker {
  /** Starts it where queues are not polled and it does not run yet; resolves with what it does now that nobody did. */
  keep: () => Promise<Work | null>;
  drain: () => Promise<void>;
}

export function createOwnWorker(options: {
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
      const { startWorker } = await import('../worker/start-worker.js');
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
