import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { deleteRun } from '../../client/deleting/delete-run';
import { endedBefore } from '../../client/deleting/ended-before';
import { RunNotFoundError, RunStillRunningError } from '../../client/run-errors';
import type { Config } from '../../config/config';
import type { Stores } from '../../stores/stores';
import { connectClient, type ServerTarget } from '../../temporal/connect';
import { dataConverter } from '../../temporal/payloads/data-converter';

/** Between two sweeps there is a tenth of the time that runs are kept, and no more than an hour. */
const SWEEPS_A_TERM = 10;
const LONGEST_PAUSE_MS = 3_600_000;
/** How long the other workers wait at least before one of them sweeps for one that died. */
const LEASE_MARGIN_MS = 60_000;
/** So many deletions that fail end a sweep: it is then not a run that is the matter. */
const MOST_FAILURES = 5;

export interface RetentionOptions {
  config: Pick<Config, 'retention' | 'temporal' | 'encryption'>;
  target: ServerTarget;
  stores: Stores;
  log: {
    info(message: string, fields: { reason: string }): void;
    warn(message: string, fields: { error: unknown; workflowId?: string }): void;
  };
}

export interface Retention {
  /** Ends it behind the deletion that is under way. */
  stop(): Promise<void>;
}

/**
 * Deletes runs that ended longer ago than they are kept, again and again, by one worker of a task queue at a time: the
 * shared stores have a place that one of them holds. Nothing of it is remembered anywhere, so that a changed or removed
 * setting holds from the worker's next start. What one that was killed has left half deleted is found again (`deleteRun`).
 */
export function startRetention(options: RetentionOptions): Retention {
  const { keepMs } = options.config.retention;
  const stopped = new AbortController();
  const ended = keepMs === null ? Promise.resolve() : sweepAgainAndAgain(options, keepMs, stopped.signal);
  return {
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

async function sweepAgainAndAgain(
  options: RetentionOptions,
  keepMs: number,
  stopped: AbortSignal,
): Promise<void> {
  const { stores, log, target, config } = options;
  const pauseMs = Math.min(keepMs / SWEEPS_A_TERM, LONGEST_PAUSE_MS);
  const place = `retention/${target.namespace}/${config.temporal.taskQueue}`;
  const owner = randomUUID();
  const holdPlace = (): Promise<boolean> =>
    stores.responses.acquireLease(place, owner, pauseMs + LEASE_MARGIN_MS);
  while (!stopped.aborted) {
    try {
      if (await holdPlace())
        await sweep(options, keepMs, async () => !stopped.aborted && (await holdPlace()));
    } catch (error) {
      log.warn('Retention could not look for runs that are to be deleted, and tries again', { error });
    }
    // It rejects where it was stopped.
    await delay(pauseMs, undefined, { signal: stopped }).catch(() => undefined);
  }
  // What is gone with the store at shutdown ends by itself.
  await stores.responses.releaseLease(place, owner).catch(() => undefined);
}

/** `mayGoOn` is asked before each deletion: the place is held anew with it. */
async function sweep(
  { config, target, stores, log }: RetentionOptions,
  keepMs: number,
  mayGoOn: () => Promise<boolean>,
): Promise<void> {
  const { connection, client } = await connectClient(target, { dataConverter: dataConverter(config) });
  const records = { ...stores, client, taskQueue: config.temporal.taskQueue };
  let deleted = 0;
  let failed = 0;
  try {
    for await (const { runId } of endedBefore(records, new Date(Date.now() - keepMs))) {
      if (!(await mayGoOn())) return;
      try {
        await deleteRun(records, runId);
        deleted += 1;
      } catch (error) {
        // Somebody else has deleted it, or has run it again.
        if (error instanceof RunNotFoundError || error instanceof RunStillRunningError) continue;
        log.warn('A run whose time is over could not be deleted', { workflowId: runId, error });
        failed += 1;
        if (failed >= MOST_FAILURES) return;
      }
    }
  } finally {
    if (deleted > 0)
      log.info('Deleted runs whose time is over', { reason: `${deleted} ended over ${keepMs} ms ago` });
    await connection.close();
  }
}
