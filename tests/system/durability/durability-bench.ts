import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  createColligateClient,
  type ColligateClient,
  type ReportRequest,
  type RunHandle,
} from '../../../src/client';
import { loadConfig } from '../../../src/config/config';
import type { OutageSettings } from '../../../src/contracts/run/outages';
import type { ContentStore } from '../../../src/stores/content-store';
import { openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import { connectClient } from '../../../src/temporal/connect';
import {
  buildCommandLine,
  newProjectFolder,
  startCommand,
  type RunningCommand,
} from '../../cli/command-line-under-test';
import { executionStatuses, pendingActivities, type PendingActivity } from '../../support/pending-activities';
import { sharedFile } from '../../support/shared-data';
import { startTestServer, type TestServer } from '../../support/temporal-server';
import { until } from '../../support/until';
import type { Hold } from './hold';
import type { HoldingWorkerOptions } from './holding-worker';
import type { RunRecord } from './run-log';

const ROOT = resolve(__dirname, '../../..');
/** Recovery waits for a heartbeat timeout, a retry's back-off and, on a busy machine, for processors. */
const RECOVERY_MS = 500_000;

/** What a killed worker was at is handed on soon; production's 10 s would be waited for at every kill. */
export const SHORT_HEARTBEATS: OutageSettings = {
  patienceMs: 86_400_000,
  afterwards: 'park',
  heartbeatMs: 3_000,
};

/** A process that can be ended as a crash would end it. */
export interface KillableWorker {
  pid: number;
  /** Ends it with SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  signal(signal: 'SIGTERM' | 'SIGUSR2'): void;
  /** Its exit code; null where it was killed. */
  ended: Promise<number | null>;
}

export interface HoldingWorker extends KillableWorker {
  /** Resolves when an activity has stopped at the hold, and the server says that this worker has it. */
  holds(hold: Hold): Promise<void>;
}

/** A server on a file, stores on disk, and processes that work on them and may be killed. */
export interface DurabilityBench {
  server: TestServer;
  folder: string;
  colligate: ColligateClient;
  /** Temporal's own. */
  client: Awaited<ReturnType<typeof connectClient>>['client'];
  /** The same as `colligate` on another content store. */
  clientOn(content: ContentStore): ColligateClient;
  stores: Stores;
  request(runId: string, material: Material): ReportRequest;
  /** The command line's own worker. */
  startWorker(): Promise<KillableWorker>;
  startHoldingWorker(holds: Hold[], options?: { shutdownGraceMs?: number }): Promise<HoldingWorker>;
  command(...args: string[]): RunningCommand;
  start(runId: string, material: Material): Promise<RunHandle>;
  pending(runId: string): Promise<PendingActivity[]>;
  /** The statuses of all executions that the server lists for the id. */
  executions(runId: string): Promise<string[]>;
  /** What the run left, once it has completed. */
  finished(runId: string): Promise<RunRecord>;
  close(): Promise<void>;
}

export interface Material {
  name: string;
  question: string;
  paths: string[];
}

export const NOTES: Material = {
  name: 'the example notes',
  question: 'Does vitamin D supplementation improve health outcomes in adults?',
  paths: [join(ROOT, 'examples/vitamin-d')],
};

export async function openDurabilityBench(): Promise<DurabilityBench> {
  await buildCommandLine();
  const folder = await newProjectFolder();
  const server = await startTestServer();
  const config = loadConfig({ cwd: folder, env: {} });
  const stores = await openStores(config);
  const { connection, client } = await connectClient({ ...config.temporal, address: server.address });
  const clientOn = (content: ContentStore): ColligateClient =>
    createColligateClient({
      client,
      taskQueue: config.temporal.taskQueue,
      content,
      events: stores.events,
      responses: stores.responses,
      derived: stores.derived,
    });
  const colligate = clientOn(stores.content);
  const processes: ChildProcess[] = [];
  const env = { TEMPORAL_ADDRESS: server.address, COLLIGATE_LOG_LEVEL: 'error', COLLIGATE_THREADS: '1' };

  function killable(child: ChildProcess, ended: Promise<number | null>): KillableWorker {
    const { pid } = child;
    if (pid === undefined) throw new Error('the worker did not start');
    return {
      pid,
      ended,
      signal: (signal) => void child.kill(signal),
      async kill() {
        child.kill('SIGKILL');
        await ended;
      },
    };
  }

  const bench: DurabilityBench = {
    server,
    folder,
    colligate,
    client,
    clientOn,
    stores,
    request: (runId, { question, paths }) => ({
      runId,
      question,
      sources: { paths },
      engine: 'extractive',
      synthesis: config.synthesis,
      budget: {},
      outages: SHORT_HEARTBEATS,
      asOf: '2026-01-01T00:00:00.000Z',
      searchAttributes: true,
    }),
    command(...args) {
      const running = startCommand(args, { cwd: folder, env });
      processes.push(running.child);
      return running;
    },
    async startWorker() {
      const running = bench.command('worker', '--json');
      await running.said(/\{/);
      return killable(
        running.child,
        running.ended.then(({ code: exitCode }) => exitCode),
      );
    },
    async startHoldingWorker(holds, { shutdownGraceMs = 10_000 } = {}) {
      const options: HoldingWorkerOptions = {
        cwd: folder,
        address: server.address,
        shutdownGraceMs,
        holds,
      };
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', join(__dirname, 'holding-worker.ts'), JSON.stringify(options)],
        { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      processes.push(child);
      const said = new Set<string>();
      const lines = createInterface({ input: child.stdout });
      lines.on('line', (line) => said.add(line));
      const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => child.exitCode);
      const worker = killable(child, ended);
      const hears = async (line: unknown): Promise<void> => {
        await until(
          async () => ({ line, said: [...said], exitCode: child.exitCode }),
          ({ exitCode }) => said.has(JSON.stringify(line)) || exitCode !== null,
          RECOVERY_MS,
        );
        if (!said.has(JSON.stringify(line))) throw new Error('the worker has ended');
      };
      await hears({ ready: true });
      return {
        ...worker,
        async holds(hold) {
          await hears({ held: hold });
          await until(
            () => bench.pending(hold.workflowId ?? hold.runId),
            (activities) => activities.some(({ isStarted, pid }) => isStarted && pid === worker.pid),
          );
        },
      };
    },
    async start(runId, material) {
      const { run } = await colligate.startReport(bench.request(runId, material));
      return run;
    },
    pending: (runId) => pendingActivities(client, runId),
    executions: (runId) => executionStatuses(client, runId),
    async finished(runId) {
      const run = colligate.run(runId);
      const closed = await run.waitUntilClosed({ signal: AbortSignal.timeout(RECOVERY_MS) });
      if (closed.status !== 'completed') throw new Error(`run ${runId} is ${JSON.stringify(closed)}`);
      const stored = await run.report();
      if (stored === null) throw new Error(`run ${runId} left no report`);
      return { ...stored, events: await stores.events.read(runId) };
    },
    async close() {
      for (const child of processes) if (child.exitCode === null) child.kill('SIGKILL');
      await connection.close();
      await stores.close();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
  return bench;
}

export const STUDIES = 'studies/sources.jsonl';

/** The first `count` of the shared collection of studies, written into `folder`. */
export async function firstStudies(folder: string, count: number): Promise<Material> {
  const lines = (await readFile(sharedFile(STUDIES), 'utf8')).split('\n').slice(0, count);
  const path = join(folder, 'studies.jsonl');
  await writeFile(path, lines.join('\n'));
  return {
    name: `${count} studies`,
    question: 'Which lifestyle interventions improve health outcomes, and by how much?',
    paths: [path],
  };
}
