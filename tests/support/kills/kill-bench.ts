import { realpath, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, loadConfig } from '../../../src/app/config';
import { connectClient } from '../../../src/app/temporal/temporal-connection';
import {
  type ColligateClient,
  createColligateClient,
  type ReportRequest,
  type RunHandle,
} from '../../../src/client';
import type { EngineName, OutageSettings } from '../../../src/contracts/run';
import { modelChoices } from '../../../src/contracts/settings';
import { openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import {
  newProjectFolder,
  type RunningCommand,
  spawnCommand,
  type SpawnedCommand,
  spawnProgram,
  startCommand,
} from '../../cli/command-line-under-test';
import { executionStatuses, pendingActivities, type PendingActivity } from '../pending-activities';
import { startTestServer, type TestServer } from '../temporal-server';
import { until } from '../until';
import type { Hold } from './hold';
import type { HoldingWorkerOptions } from './holding-worker';
import type { Material } from './material';
import { openAll } from './open-all';
import { finishedRecord, type Records, type RunRecord } from './run-record';

const ROOT = resolve(__dirname, '../../..');

/** What a killed worker was at is handed on soon; production's 10 s would be waited for at every kill. */
export const SHORT_HEARTBEATS: OutageSettings = {
  patienceMs: 86_400_000,
  afterwards: 'park',
  heartbeatMs: 3_000,
};

export interface HoldingWorker extends SpawnedCommand {
  /** Resolves when an activity has stopped at the hold, and the server says that this worker has it. */
  holds(hold: Hold): Promise<void>;
  letGo(): void;
}

/** An installation of its own: a server on a file, stores, a client, and processes that work on them and may be killed. */
export interface KillBench extends Records {
  server: TestServer;
  folder: string;
  colligate: ColligateClient;
  client: Awaited<ReturnType<typeof connectClient>>['client'];
  stores: Stores;
  config(): Config;
  /** Who is started from now on asks the models behind the server. */
  useModels(server: { baseUrl: string }, settings?: Record<string, unknown>): Promise<void>;
  request(runId: string, material: Material, engine?: EngineName): ReportRequest;
  command(...args: string[]): SpawnedCommand;
  commandHere(...args: string[]): RunningCommand;
  /** The command line's own worker, when it is ready. */
  startWorker(env?: Record<string, string>): Promise<SpawnedCommand>;
  startHoldingWorker(holds: readonly Hold[]): Promise<HoldingWorker>;
  start(runId: string, material: Material, engine?: EngineName): Promise<RunHandle>;
  pending(runId: string): Promise<PendingActivity[]>;
  /** The statuses of all executions that the server lists for the id. */
  executions(runId: string): Promise<string[]>;
  finished(runId: string): Promise<RunRecord>;
  close(): Promise<void>;
}

/** `env` is that of commands beside the bench's own; without stores in it these are files in the folder. */
export async function openKillBench({
  env: given = {},
}: { env?: Record<string, string> } = {}): Promise<KillBench> {
  return openAll(async (atClose) => {
    const folder = await realpath(await newProjectFolder());
    atClose(() => rm(folder, { recursive: true }));
    const server = await startTestServer();
    atClose(() => server.stop());
    const env = {
      TEMPORAL_ADDRESS: server.address,
      COLLIGATE_LOG_LEVEL: 'error',
      COLLIGATE_THREADS: '1',
      ...given,
    };
    const config = (): Config => loadConfig({ cwd: folder, env });
    const { temporal } = config();
    const stores = await openStores(config());
    atClose(() => stores.close());
    const { connection, client } = await connectClient({ ...temporal, address: server.address });
    atClose(() => connection.close());
    const { content, events, responses, derived } = stores;
    const { taskQueue } = temporal;
    const colligate = createColligateClient({ client, taskQueue, content, events, responses, derived });
    const started: SpawnedCommand[] = [];
    atClose(() => Promise.allSettled(started.map((command) => command.kill())));
    const keep = (command: SpawnedCommand): SpawnedCommand => {
      started.push(command);
      return command;
    };
    const bench: Omit<KillBench, 'close'> = {
      server,
      folder,
      colligate,
      client,
      stores,
      config,
      useModels: ({ baseUrl }, settings = {}) =>
        writeFile(
          join(folder, 'colligate.config.json'),
          JSON.stringify({
            openai: {
              baseUrl,
              models: { fast: 'small', strong: 'large' },
              maxConcurrentCalls: 20,
              ...settings,
            },
          }),
        ),
      request: (runId, { question, paths }, engine = 'extractive') => ({
        runId,
        question,
        sources: { paths },
        engine,
        ...(engine === 'openai' && { models: modelChoices(config().openai) }),
        synthesis: config().synthesis,
        budget: {},
        outages: SHORT_HEARTBEATS,
        asOf: '2026-01-01T00:00:00.000Z',
        searchAttributes: true,
      }),
      command: (...args) => keep(spawnCommand(args, { cwd: folder, env })),
      commandHere: (...args) => startCommand(args, { cwd: folder, env }),
      async startWorker(more = {}) {
        const worker = keep(spawnCommand(['worker', '--json'], { cwd: folder, env: { ...env, ...more } }));
        await worker.said('{');
        return worker;
      },
      async startHoldingWorker(holds) {
        const options: HoldingWorkerOptions = { cwd: folder, address: server.address, holds };
        const script = join(__dirname, 'holding-worker.ts');
        const worker = keep(
          spawnProgram(['--import', 'tsx', script, JSON.stringify(options)], { cwd: ROOT }),
        );
        const says = (line: unknown): Promise<void> => worker.said(`${JSON.stringify(line)}\n`);
        await says({ ready: true });
        return {
          ...worker,
          letGo: () => void worker.child.kill('SIGUSR2'),
          async holds(hold) {
            await says({ held: hold });
            await until(
              () => bench.pending(hold.workflowId ?? hold.runId),
              (activities) => activities.some(({ isStarted, pid }) => isStarted && pid === worker.pid),
            );
          },
        };
      },
      start: async (...run) => (await bench.colligate.startReport(bench.request(...run))).run,
      pending: (runId) => pendingActivities(client, runId),
      executions: (runId) => executionStatuses(client, runId),
      finished: (runId) => finishedRecord(bench, runId),
    };
    return bench;
  });
}
