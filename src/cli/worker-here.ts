import type { Config } from '../config';
import type { Stores } from '../stores/stores';
import type { ServerTarget } from '../temporal/connect';

/** A worker in this process. */
export interface WorkerHere {
  /** Lets what is under way finish, within the grace time, and ends the worker. */
  drain(): Promise<void>;
  /** Resolves or rejects when the worker has ended, drained or by itself. */
  ended: Promise<void>;
}

export function startWorkerHere(config: Config, target: ServerTarget, stores: Stores): Promise<WorkerHere> {
  throw new Error(`no worker yet: ${config.logLevel} ${target.address} ${String(stores)}`);
}
