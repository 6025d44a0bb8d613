import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Config, loadConfig } from '../../../src/app/config';
import { connectClient } from '../../../src/app/temporal/temporal-connection';
import { type ColligateClient, createColligateClient, type ReportRequest } from '../../../src/client';
import { type ExternalSettings, modelChoices } from '../../../src/contracts/settings';
import { openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import { startWorker } from '../../../src/worker';
import {
  type ModelServer,
  type RecordedRequest,
  type Script,
  startModelServer,
} from '../../model-server/model-server';
import { bundleWorkflows } from '../../support/bundle-workflows';
import { finishedRecord, type RunRecord } from '../../support/kills/run-record';
import { openTestNamespace, type TestNamespace } from '../../support/temporal-server';
import { createTestThreads } from '../../support/test-threads';

const ROOT = resolve(__dirname, '../../..');
const NOTES_FOLDER = join(ROOT, 'examples/vitamin-d');
const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';

/** Runs by the openai engine: a Temporal server, stores, a worker in this process, and model servers. */
export interface ModelBench {
  colligate: ColligateClient;
  client: Awaited<ReturnType<typeof connectClient>>['client'];
  stores: Stores;
  /** What runs are started with where nothing else is given. */
  synthesis: Config['synthesis'];
  /**
   * A worker whose models are behind a server of this script, until `rest`. Without settings it is the same worker each time: a new one
   * computes for a second before it does anything.
   */
  serve(script: Script, settings?: ModelSettings, outside?: Partial<ExternalSettings>): Promise<ServedModels>;
  /** Ends the workers and model servers; for `afterEach`. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** What `openai` has in a configuration, as flags or as the file gives it. */
export type ModelSettings = Partial<
  Pick<
    Config['openai'],
    'timeoutMs' | 'firstByteMs' | 'inactivityMs' | 'maxConcurrentCalls' | 'prices' | 'contextTokens'
  >
>;

/** A worker with the models that it asks. */
export interface ServedModels {
  server: ModelServer;
  /** What runs are started with that ask them. */
  models: ReturnType<typeof modelChoices>;
  /** Starts a run; over the example notes where nothing else is given. */
  start(runId: string, given?: Partial<ReportRequest>): Promise<void>;
  /** What the run left, once it has ended with a report. */
  finished(runId: string): Promise<RunRecord>;
  report(runId: string, given?: Partial<ReportRequest>): Promise<RunRecord>;
}

/** On the server that test files share, but where the test has one that it restarts. */
export async function openModelBench(given?: TestNamespace): Promise<ModelBench> {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-models-'));
  const temporal = given ?? (await openTestNamespace());
  const base = loadConfig({
    cwd: folder,
    env: {},
    flags: {
      logLevel: 'silent',
      'worker.threads': 1,
      'worker.maxConcurrentActivities': 40,
      'temporal.namespace': temporal.namespace,
    },
  });
  const stores = await openStores(base);
  const target = { ...base.temporal, address: temporal.address };
  const { connection, client } = await connectClient(target);
  const workflowBundle = await bundleWorkflows();
  const threads = await createTestThreads();
  const { taskQueue } = base.temporal;
  const colligate = createColligateClient({
    client,
    taskQueue,
    content: stores.content,
    events: stores.events,
  });
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async (closing: (() => Promise<void>)[]): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  const rest = (): Promise<void> => closeAll(opened);

  async function startServing(
    script: Script,
    settings: ModelSettings,
    outside: Partial<ExternalSettings>,
    closing: (() => Promise<void>)[],
    responses = stores.responses,
  ): Promise<Pick<ServedModels, 'server' | 'models'>> {
    const server = await startModelServer(script);
    closing.push(() => server.close());
    const openai = {
      ...base.openai,
      baseUrl: server.baseUrl,
      models: { fast: 'small', strong: 'large', critic: null, embedding: null },
      maxConcurrentCalls: 8,
      prices: { small: { input: 1, output: 4 }, large: { input: 10, output: 40 } },
      ...settings,
    };
    const config = { ...base, ...outside, openai };
    const worker = await startWorker({
      config,
      target,
      stores: { ...stores, responses },
      threads,
      workflowBundle,
    });
    closing.push(() => worker.drain());
    return { server, models: modelChoices(openai) };
  }

  const closingStanding: (() => Promise<void>)[] = [];
  let standing: Promise<Pick<ServedModels, 'server' | 'models'>> | undefined;
  let current: { script: Script; asked: RecordedRequest[] } | undefined;
  let scripts = 0;
  /** No script gets the answers of an earlier one: as with an endpoint of its own. */
  const keyOf = (key: string): string => `${scripts}/${key}`;
  const ownResponses: Stores['responses'] = {
    ...stores.responses,
    get: (runId, key) => stores.responses.get(runId, keyOf(key)),
    put: (runId, key, ...given) => stores.responses.put(runId, keyOf(key), ...given),
    acquireLease: (key, ...given) => stores.responses.acquireLease(keyOf(key), ...given),
    releaseLease: (key, owner) => stores.responses.releaseLease(keyOf(key), owner),
  };

  /** The worker without settings, whose models answer by this script from now on. */
  async function serveStanding(script: Script): Promise<Pick<ServedModels, 'server' | 'models'>> {
    const asked: RecordedRequest[] = [];
    current = { script, asked };
    scripts += 1;
    standing ??= startServing(
      (request) => {
        if (current === undefined) throw new Error('no script was given');
        const at = current.asked.push(request) - 1;
        const behaviour =
          typeof current.script === 'function' ? current.script(request, at) : current.script[at];
        if (behaviour === undefined) throw new Error(`the script has no behaviour for request ${at + 1}`);
        return behaviour;
      },
      {},
      {},
      closingStanding,
      ownResponses,
    );
    const { server, models } = await standing;
    return { server: { ...server, asked, requests: asked }, models };
  }

  return {
    colligate,
    client,
    stores,
    synthesis: base.synthesis,
    rest,
    async serve(script, settings, outside) {
      const isStanding = settings === undefined && outside === undefined;
      if (!isStanding) {
        // It would take the work of the other.
        await closeAll(closingStanding);
        standing = undefined;
      }
      const served: ServedModels = {
        ...(isStanding
          ? await serveStanding(script)
          : await startServing(script, settings ?? {}, outside ?? {}, opened)),
        async start(runId, given = {}) {
          await colligate.startReport({
            runId,
            question: QUESTION,
            sources: { paths: [NOTES_FOLDER] },
            engine: 'openai',
            models: served.models,
            synthesis: base.synthesis,
            budget: {},
            asOf: '2026-01-01T00:00:00.000Z',
            searchAttributes: true,
            ...given,
          });
        },
        finished: (runId) =>
          finishedRecord({ colligate, stores }, runId, { mayEnd: (status) => status !== 'failed' }),
        async report(runId, given) {
          await served.start(runId, given);
          return served.finished(runId);
        },
      };
      return served;
    },
    async close() {
      await rest();
      await closeAll(closingStanding);
      await threads.close();
      await connection.close();
      await stores.close();
      await temporal.stop();
      await rm(folder, { recursive: true });
    },
  };
}
