import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createColligateClient, type ColligateClient, type RunHandle } from '../../../src/client';
import { loadConfig } from '../../../src/config/config';
import { openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import { connectClient } from '../../../src/temporal/connect';
import { executionStatuses, pendingActivities, type PendingActivity } from '../../support/pending-activities';
import { startTestServer, type TestServer } from '../../support/temporal-server';
import { startHoldingModel, type HoldingModel } from './holding-model';
import { requestOf, runOfPrompt, type PlannedRun } from './planned-runs';
import { startWorkerProcess, type WorkerProcess } from './worker-process';

/** A whole installation of its own on this machine: server, stores, model, workers, and a client to it. */
export interface Stand {
  server: TestServer;
  model: HoldingModel;
  workers: readonly WorkerProcess[];
  stores: Stores;
  run(runId: string): RunHandle;
  start(planned: PlannedRun): Promise<RunHandle>;
  pending(runId: string): Promise<PendingActivity[]>;
  /** The statuses of all executions that the server lists for the id. */
  executions(runId: string): Promise<string[]>;
  close(): Promise<void>;
}

/** `stores` are the settings of the stores in an environment; without any they are files of the stand. */
export async function openStand(options: {
  workers: readonly string[];
  stores?: Record<string, string>;
  /** How many calls a worker has under way at once. */
  calls: number;
}): Promise<Stand> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'colligate-chaos-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    const server = await startTestServer();
    closing.push(() => server.stop());
    const model = await startHoldingModel(runOfPrompt);
    closing.push(() => model.close());
    const env = {
      ...(options.stores ?? {}),
      COLLIGATE_DATA_DIR: join(folder, 'data'),
      COLLIGATE_LOG_LEVEL: 'error',
      COLLIGATE_THREADS: '1',
      COLLIGATE_MAX_CONCURRENT_CALLS: String(options.calls),
      TEMPORAL_ADDRESS: server.address,
      OPENAI_BASE_URL: model.baseUrl,
      COLLIGATE_MODEL_FAST: 'good',
      COLLIGATE_MODEL_STRONG: 'good',
    };
    // A small window cuts the reading up into several calls.
    const openai = { contextTokens: { good: 7_000 } };
    await writeFile(join(folder, 'colligate.config.json'), JSON.stringify({ openai }));
    const config = loadConfig({ cwd: folder, env });
    const stores = await openStores(config);
    closing.push(() => stores.close());
    const { connection, client } = await connectClient({ ...config.temporal, address: server.address });
    closing.push(() => connection.close());
    const workers = await Promise.all(
      options.workers.map((name) =>
        startWorkerProcess(name, { cwd: folder, env: { ...env, OPENAI_API_KEY: name } }),
      ),
    );
    closing.push(() => Promise.all(workers.map((worker) => worker.kill())));
    const { content, events } = stores;
    const { taskQueue } = config.temporal;
    const colligate: ColligateClient = createColligateClient({ client, taskQueue, content, events });
    return {
      server,
      model,
      workers,
      stores,
      run: (runId) => colligate.run(runId),
      start: async (planned) => (await colligate.startReport(requestOf(planned, config))).run,
      pending: (runId) => pendingActivities(client, runId),
      executions: (runId) => executionStatuses(client, runId),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
