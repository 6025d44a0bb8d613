import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportRequest } from '../../src/client';
import { modelChoices } from '../../src/contracts/settings';
import { startWorker } from '../../src/worker';
import { runCommand } from '../cli/command-line-under-test';
import { createGoodModel } from '../model-server/good-model';
import { type ScriptFunction, startModelServer } from '../model-server/model-server';
import { type HttpBench, openHttpBench } from '../support/http-bench';
import { type SearchSite, startSearchSite } from '../support/search-site';

export const VITAMIN_D = join(__dirname, '../../examples/vitamin-d');
const AS_OF = '2026-01-01T00:00:00.000Z';

/** What a run is started with that asks the bench's endpoint. */
type ByModel = Required<Pick<ReportRequest, 'engine' | 'models' | 'asOf' | 'searchAttributes'>>;

/** A namespace with one worker of both engines, its model endpoint, a site to search, the HTTP server and the command line. */
export interface GoldenBench extends HttpBench {
  site: SearchSite;
  /** Each run has models of its own, so that it finds no answers of other runs in the response cache. */
  byModel(runId: string): ByModel;
  /** How the endpoint answers from now on; without an argument, as the good model. */
  respond(script?: ScriptFunction): void;
  /** The files of a report by the model. */
  report(runId: string, request: ReportRequest): Promise<Record<string, unknown>>;
  /** The files of a report that there is. */
  filesOf(runId: string): Promise<Record<string, unknown>>;
  /** Settings of a command that asks the endpoint. */
  endpoint: Record<string, string>;
  /** Runs a command on the bench's runs and stores, in `folder`; returns what it printed. Rejects where the command fails. */
  print(words: readonly string[], env?: Record<string, string>): Promise<string>;
  folder: string;
  read(file: string): Promise<string>;
  /** Makes a folder of sources in `folder`; returns its path. */
  sources(name: string, write: (path: string) => Promise<unknown>): Promise<string>;
}

/** `runs` are the ids of runs by a model. */
export async function openGoldenBench(runs: readonly string[]): Promise<GoldenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-golden-'));
  const good = createGoodModel();
  const byGoodModel: ScriptFunction = (request) => good.answer(request);
  let script: ScriptFunction = byGoodModel;
  const server = await startModelServer((request, index) => script(request, index), {
    models: ['small', 'large'],
  });
  const site = await startSearchSite();
  const endpoint = {
    OPENAI_BASE_URL: server.baseUrl,
    COLLIGATE_MODEL_FAST: 'small',
    COLLIGATE_MODEL_STRONG: 'large',
    COLLIGATE_PRICES: JSON.stringify(pricesOf(['', ...runs.map((runId) => `${runId}-`)])),
  };
  const http = await openHttpBench({}, { ...site.env, ...endpoint, COLLIGATE_READER_ENCODER: 'on' });
  const { config, target, stores, threads, colligate, bundle: workflowBundle } = http.bench;
  const worker = await startWorker({ config, target, stores, threads, workflowBundle });
  const byModel: GoldenBench['byModel'] = (runId) => {
    const models = { fast: `${runId}-small`, strong: `${runId}-large`, critic: null, embedding: null };
    const choices = modelChoices({ ...config.openai, models });
    return { engine: 'openai', models: choices, asOf: AS_OF, searchAttributes: true };
  };
  const filesOf: GoldenBench['filesOf'] = async (runId) => {
    const stored = await colligate.run(runId).report();
    return { 'report.md': stored?.markdown, 'report.json': stored?.report };
  };
  return {
    ...http,
    site,
    byModel,
    respond: (given = byGoodModel) => void (script = given),
    async report(runId, request) {
      const { run } = await colligate.startReport({ ...byModel(runId), runId, ...request });
      await run.waitUntilClosed();
      return filesOf(runId);
    },
    filesOf,
    endpoint,
    async print(words, env = {}) {
      const { code, stdout, stderr } = await runCommand(words, {
        cwd: folder,
        env: {
          ...env,
          TEMPORAL_ADDRESS: target.address,
          TEMPORAL_NAMESPACE: target.namespace,
          COLLIGATE_DATA_DIR: config.dataDir,
          COLLIGATE_THREADS: '1',
        },
      });
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
      return stdout;
    },
    folder,
    read: (file) => readFile(join(folder, file), 'utf8'),
    async sources(name, write) {
      const path = join(folder, name);
      await mkdir(path);
      await write(path);
      return path;
    },
    async close() {
      await worker.drain();
      await http.close();
      await server.close();
      await site.server.close();
      await rm(folder, { recursive: true });
    },
  };
}

function pricesOf(prefixes: readonly string[]): Record<string, object> {
  const prices = prefixes.flatMap((prefix) => [
    [`${prefix}small`, { input: 1, output: 4 }] as const,
    [`${prefix}large`, { input: 10, output: 40 }] as const,
  ]);
  return Object.fromEntries(prices);
}
