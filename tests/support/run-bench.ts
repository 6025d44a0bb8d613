import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { WorkerFailedError } from '../../src/app/app-errors';
import { type Config, loadConfig } from '../../src/app/config';
import type { Environment } from '../../src/app/config-sources';
import type { Engines } from '../../src/app/model-endpoint';
import { dataConverter } from '../../src/app/temporal/payload-encryption';
import { connectClient, type ServerTarget } from '../../src/app/temporal/temporal-connection';
import {
  type ColligateClient,
  createColligateClient,
  type ReportRequest,
  type RunHandle,
} from '../../src/client';
import type { RunEvent } from '../../src/contracts/event';
import type { ReportRunInput } from '../../src/contracts/start';
import type { ThreadPool } from '../../src/engines/thread-pool';
import { importSources } from '../../src/sources/import-sources';
import { readSources } from '../../src/sources/read-sources';
import { stepVersions } from '../../src/steps/registry';
import { openStores } from '../../src/stores/open-stores';
import type { Stores } from '../../src/stores/stores';
import { type ColligateWorker, startWorker } from '../../src/worker';
import { afterAppend, type AfterAppend } from './after-append';
import { bundleWorkflows } from './bundle-workflows';
import { REPORT_SCRIPT, SOURCES } from './report-script';
import {
  createScriptedEngine,
  enginesThatFollow,
  type ScriptedEngine,
  type StepScript,
} from './scripted-engine';
import { openTestNamespace, type TestNamespace } from './temporal-server';
import { createTestThreads } from './test-threads';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** Everything a run needs, for real: a server, stores on disk, and workers with an engine of the test's choice. */
export interface RunBench {
  config: Config;
  target: ServerTarget;
  stores: Stores;
  colligate: ColligateClient;
  colligateOn(stores: Stores): ColligateClient;
  client: Awaited<ReturnType<typeof connectClient>>['client'];
  bundle: { code: string };
  threads: ThreadPool;
  /** Plays the engines of every worker that is given none. */
  engine: ScriptedEngine;
  /** Has `engine` play the script of a report, some of its steps replaced. */
  play(
    changes?: Record<string, StepScript>,
    given?: Parameters<typeof createScriptedEngine>[1],
  ): ScriptedEngine;
  /** The worker waits for `look` as soon as one of its events is on disk; what it is not given is the bench's. */
  startWorker(
    engines?: Engines,
    look?: AfterAppend,
    given?: {
      stores?: Stores;
      bundle?: { code: string };
      concurrentCalls?: number;
      settings?: Partial<Pick<Config, 'encryption' | 'retention'>>;
    },
  ): Promise<ColligateWorker>;
  /** Drains the workers that were started; `close` does so too. */
  rest(): Promise<void>;
  request(given: Partial<ReportRequest>): ReportRequest;
  /** Starts a report by the client, over the script's sources where nothing else is given. */
  report(runId: string, given?: Partial<ReportRequest>): Promise<RunHandle>;
  /** Has sources in the store, the script's where no others are named, as the input of a run names them. */
  stored(
    runId: string,
    where?: { stores?: Stores; paths?: string[] },
  ): Promise<{ manifestRef: string; sourceCount: number }>;
  startRun(
    runId: string,
    given: Partial<ReportRunInput>,
    where?: { stores?: Stores; paths?: string[] },
  ): Promise<RunHandle>;
  eventsOf(runId: string): Promise<RunEvent[]>;
  /** The histories of a run that went on in new ones, the first one first. */
  historiesOf(runId: string): Promise<HistoryEvent[][]>;
  activitiesOf(runId: string): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** On the server that test files share, but where the test has one that it restarts. */
export async function openRunBench({
  env = {},
  server: given,
}: { env?: Environment; server?: TestNamespace } = {}): Promise<RunBench> {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-run-'));
  const server = given ?? (await openTestNamespace());
  const flags = { logLevel: 'silent', 'worker.threads': 1, 'temporal.namespace': server.namespace };
  const config = loadConfig({ cwd: folder, env, flags });
  const sourcesFile = join(folder, 'sources.jsonl');
  await writeFile(sourcesFile, SOURCES.map((source) => JSON.stringify(source)).join('\n'));
  const stores = await openStores(config);
  const target = { ...config.temporal, address: server.address };
  const { connection, client } = await connectClient(target, {
    timeoutMs: 60_000,
    dataConverter: dataConverter(config),
  });
  const bundle = await bundleWorkflows();
  const { taskQueue } = config.temporal;
  // Threads take seconds to load the sources; the bench's workers share them.
  const threads = await createTestThreads();
  const colligateOn = ({ content, events, responses, derived }: Stores): ColligateClient =>
    createColligateClient({ client, taskQueue, content, events, responses, derived });
  const colligate = colligateOn(stores);
  const workers: ColligateWorker[] = [];
  const bench: RunBench = {
    config,
    target,
    stores,
    client,
    bundle,
    threads,
    colligate,
    colligateOn,
    engine: createScriptedEngine(REPORT_SCRIPT),
    play: (changes = {}, given) =>
      (bench.engine = createScriptedEngine({ ...REPORT_SCRIPT, ...changes }, given)),
    async startWorker(
      engines = enginesThatFollow(() => bench.engine),
      look,
      { stores: kept = stores, bundle: code = bundle, concurrentCalls, settings } = {},
    ) {
      const worker = await startWorker({
        config: {
          ...config,
          ...settings,
          openai: {
            ...config.openai,
            maxConcurrentCalls: concurrentCalls ?? config.openai.maxConcurrentCalls,
          },
        },
        target,
        stores: look === undefined ? kept : { ...kept, events: afterAppend(kept.events, look) },
        threads,
        engines: () => engines,
        workflowBundle: code,
      });
      workers.push(worker);
      return worker;
    },
    async rest() {
      for (const worker of workers.splice(0))
        await worker.drain().catch((error: unknown) => {
          // Who has a worker fail looks at it itself.
          if (!(error instanceof WorkerFailedError)) throw error;
        });
    },
    request: (given) => ({
      question: 'Which habits help?',
      sources: { paths: [sourcesFile] },
      engine: 'extractive',
      synthesis: config.synthesis,
      budget: {},
      asOf: '2026-01-01T00:00:00.000Z',
      searchAttributes: true,
      ...given,
    }),
    report: async (runId, given) => (await colligate.startReport(bench.request({ runId, ...given }))).run,
    async stored(runId, { stores: { content } = stores, paths = [sourcesFile] } = {}) {
      const readings = readSources(paths);
      const { manifestRef, count } = await importSources({ runId, readings, content, skipInvalid: false });
      return { manifestRef, sourceCount: count };
    },
    async startRun(runId, given, where = {}) {
      const input: ReportRunInput = {
        runId,
        kind: 'report',
        question: 'Which habits help?',
        ...(await bench.stored(runId, where)),
        asOf: '2026-01-01T00:00:00.000Z',
        engine: 'extractive',
        stepVersions,
        synthesis: config.synthesis,
        budget: {},
        searchAttributes: true,
        ...given,
      };
      await client.workflow.start('report', { workflowId: runId, taskQueue, args: [input] });
      return colligateOn(where.stores ?? stores).run(runId);
    },
    eventsOf: (runId) => stores.events.read(runId),
    async historiesOf(runId) {
      const histories: HistoryEvent[][] = [];
      for (let execution: string | undefined = ''; execution !== undefined;) {
        const handle: WorkflowHandle = client.workflow.getHandle(runId, execution || undefined);
        const events: HistoryEvent[] = (await handle.fetchHistory()).events ?? [];
        histories.unshift(events);
        execution = events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
      }
      return histories;
    },
    async activitiesOf(runId) {
      const counts: Record<string, number> = {};
      for (const name of activitiesIn((await bench.historiesOf(runId)).flat()))
        counts[name] = (counts[name] ?? 0) + 1;
      return counts;
    },
    async close() {
      await bench.rest();
      await threads.close();
      await connection.close();
      await stores.close();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
  return bench;
}

export function activitiesIn(events: readonly HistoryEvent[]): string[] {
  return events.flatMap(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
  );
}

/** A bench with a worker whose engines play what the test says that runs. */
export async function openScriptedBench(look?: AfterAppend): Promise<RunBench> {
  const bench = await openRunBench();
  await bench.startWorker(undefined, look);
  return bench;
}
