import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createColligateClient,
  type ColligateClient,
  type ReportRequest,
  type RunHandle,
} from '../../src/client';
import { loadConfig, type Config } from '../../src/config/config';
import type { Environment } from '../../src/config/read-given';
import type { ReportRunInput } from '../../src/contracts/report/report-run';
import type { Engines } from '../../src/app/create-engines';
import { importSources } from '../../src/sources/import-sources';
import { readSources } from '../../src/sources/read-sources';
import { stepVersions } from '../../src/steps/step-versions';
import { openStores } from '../../src/stores/open-stores';
import type { Stores } from '../../src/stores/stores';
import { connectClient, type ServerTarget } from '../../src/temporal/connect';
import { dataConverter } from '../../src/temporal/payloads/data-converter';
import type { ThreadPool } from '../../src/threads/pool';
import { createTestThreads } from './test-threads';
import { startWorker, type ColligateWorker } from '../../src/worker';
import { afterAppend, type AfterAppend } from './after-append';
import { bundleWorkflows } from './bundle-workflows';
import { SOURCES } from './report-script';
import { openTestNamespace, type TestNamespace } from './temporal-server';

/** Everything a run needs, for real: a server, stores on disk, and workers with an engine of the test's choice. */
export interface RunBench {
  config: Config;
  /** Where its runs are. */
  target: ServerTarget;
  stores: Stores;
  colligate: ColligateClient;
  /** The same as `colligate` on other stores. */
  colligateOn(stores: Stores): ColligateClient;
  client: Awaited<ReturnType<typeof connectClient>>['client'];
  bundle: { code: string };
  /** Which the bench's workers share. */
  threads: ThreadPool;
  /** The worker waits for `look` as soon as one of its events is on disk; what it is not given is the bench's. */
  startWorker(
    engines: Engines,
    look?: AfterAppend,
    given?: {
      stores?: Stores;
      bundle?: { code: string };
      concurrentCalls?: number;
      settings?: Partial<Pick<Config, 'encryption' | 'retention'>>;
    },
  ): Promise<ColligateWorker>;
  /** A request over the script's sources. */
  request(given: Partial<ReportRequest>): ReportRequest;
  /** Starts a run with inputs that the client does not offer. */
  startRun(
    runId: string,
    given: Partial<ReportRunInput>,
    where?: { stores?: Stores; paths?: string[] },
  ): Promise<RunHandle>;
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
  const { connection, client } = await connectClient(target, { dataConverter: dataConverter(config) });
  const bundle = await bundleWorkflows();
  const { taskQueue } = config.temporal;
  // Threads take seconds to load the sources; the bench's workers share them.
  const threads = await createTestThreads();
  const colligateOn = ({ content, events, responses, derived }: Stores): ColligateClient =>
    createColligateClient({ client, taskQueue, content, events, responses, derived });
  const colligate = colligateOn(stores);
  return {
    config,
    target,
    stores,
    client,
    bundle,
    threads,
    colligate,
    colligateOn,
    startWorker: (
      engines,
      look,
      { stores: kept = stores, bundle: code = bundle, concurrentCalls, settings } = {},
    ) =>
      startWorker({
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
      }),
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
    async startRun(runId, given, { stores: kept = stores, paths = [sourcesFile] } = {}) {
      const { manifestRef, count } = await importSources({
        runId,
        readings: readSources(paths),
        content: kept.content,
        skipInvalid: false,
      });
      const input: ReportRunInput = {
        runId,
        kind: 'report',
        question: 'Which habits help?',
        manifestRef,
        sourceCount: count,
        asOf: '2026-01-01T00:00:00.000Z',
        engine: 'extractive',
        stepVersions,
        synthesis: config.synthesis,
        budget: {},
        searchAttributes: true,
        ...given,
      };
      await client.workflow.start('report', { workflowId: runId, taskQueue, args: [input] });
      return colligateOn(kept).run(runId);
    },
    async close() {
      await threads.close();
      await connection.close();
      await stores.close();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}
