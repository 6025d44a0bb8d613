import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngines, openModelClient, someAskModels } from '../../src/app/create-engines';
import { loadConfig, type Config } from '../../src/config/config';
import { createPaces } from '../../src/engines/model/paid/paces';
import { openStores } from '../../src/stores/open-stores';
import type { Stores } from '../../src/stores/stores';
import type { ThreadPool } from '../../src/threads/pool';
import { createTestThreads } from '../support/test-threads';

const ENDPOINT = {
  'openai.baseUrl': 'http://127.0.0.1:9/v1',
  'openai.models.fast': 'small',
  'openai.models.strong': 'large',
};

let folder: string;
let stores: Stores;
let threads: ThreadPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colligate-engines-'));
  stores = await openStores({ stores: 'lmdb', dataDir: join(folder, '.colligate') });
  threads = await createTestThreads();
});
afterAll(async () => {
  await threads.close();
  await stores.close();
  await rm(folder, { recursive: true });
});

function configured(flags: Parameters<typeof loadConfig>[0] & object): Config {
  return loadConfig({ cwd: folder, env: {}, ...flags });
}

test('without an endpoint there is the engine that needs none, and nothing to ask', async () => {
  const config = configured({});
  const engines = await createEngines(config, { threads, stores, paces: createPaces(stores.limits) });
  expect(Object.entries(engines).map(([name, engine]) => [name, engine.name])).toEqual([
    ['extractive', 'extractive'],
  ]);
  expect(someAskModels(engines)).toBe(false);
  expect(openModelClient(config)).toBeNull();
});

test('with an endpoint and its models each engine is there under its own name', async () => {
  const config = configured({ flags: ENDPOINT });
  const engines = await createEngines(config, { threads, stores, paces: createPaces(stores.limits) });
  expect(Object.entries(engines).map(([name, engine]) => [name, engine.name])).toEqual([
    ['extractive', 'extractive'],
    ['openai', 'openai'],
  ]);
  expect(someAskModels(engines)).toBe(true);
  expect(config.engine).toBe('openai');
});

test('an endpoint can be looked at where another engine is chosen', () => {
  const config = configured({ flags: { ...ENDPOINT, engine: 'extractive' } });
  expect(openModelClient(config)).not.toBeNull();
});
