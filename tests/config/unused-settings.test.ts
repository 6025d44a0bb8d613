import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingUses } from '../../src/config/setting-uses';
import { useConfigFolder } from './config-folder';

const { path, writeConfigFile } = useConfigFolder();

/** What is told of an environment and the file, as `NAME: why`. */
function unused(env: Record<string, string> = {}): string[] {
  return settingUses({ cwd: path(), env }).flatMap(({ name, unused: found }) =>
    found === null ? [] : [`${name}: ${found.why}`],
  );
}

const ENDPOINT = {
  OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
  COLLIGATE_MODEL_FAST: 'small',
  COLLIGATE_MODEL_STRONG: 'large',
};
const REDIS = { REDIS_URL: 'redis://127.0.0.1', COLLIGATE_REDIS_KEY_PREFIX: 'mine' };
const POSTGRES = { COLLIGATE_POSTGRES_URL: 'postgres://127.0.0.1/db', COLLIGATE_POSTGRES_SCHEMA: 'mine' };
const LANGFUSE = {
  LANGFUSE_BASE_URL: 'http://127.0.0.1:1',
  LANGFUSE_PUBLIC_KEY: 'pk',
  LANGFUSE_SECRET_KEY: 'sk',
};
const ASKS_NONE = 'the engine is extractive, which asks no model';
const KEY = `one:${Buffer.alloc(32, 7).toString('base64')}`;

test.each<[string, Record<string, string>, string[]]>([
  [
    'Redis, where every store is lmdb',
    REDIS,
    ['REDIS_URL: no store is kept in redis', 'COLLIGATE_REDIS_KEY_PREFIX: no store is kept in redis'],
  ],
  [
    'PostgreSQL, where every store is lmdb',
    POSTGRES,
    [
      'COLLIGATE_POSTGRES_URL: no store is kept in postgres',
      'COLLIGATE_POSTGRES_SCHEMA: no store is kept in postgres',
    ],
  ],
  [
    'a store for all, where each port has its own',
    {
      ...REDIS,
      COLLIGATE_STORES: 'redis',
      COLLIGATE_CONTENT_STORE: 'lmdb',
      COLLIGATE_DERIVED_STORE: 'lmdb',
      COLLIGATE_EVENT_STORE: 'lmdb',
      COLLIGATE_RESPONSE_STORE: 'lmdb',
    },
    [
      'COLLIGATE_STORES: each port has a store of its own',
      'REDIS_URL: no store is kept in redis',
      'COLLIGATE_REDIS_KEY_PREFIX: no store is kept in redis',
    ],
  ],
  ['a key without an endpoint', { OPENAI_API_KEY: 'sk' }, [`OPENAI_API_KEY: ${ASKS_NONE}`]],
  [
    'an endpoint, where the engine asks none',
    { ...ENDPOINT, COLLIGATE_ENGINE: 'extractive' },
    [
      `OPENAI_BASE_URL: ${ASKS_NONE}`,
      `COLLIGATE_MODEL_FAST: ${ASKS_NONE}`,
      `COLLIGATE_MODEL_STRONG: ${ASKS_NONE}`,
    ],
  ],
  [
    'limits on what nobody spends',
    { COLLIGATE_MAX_TOKENS: '5', COLLIGATE_MAX_COST_USD: '5', COLLIGATE_MAX_TIME_MS: '5000' },
    [`COLLIGATE_MAX_TOKENS: ${ASKS_NONE}`, `COLLIGATE_MAX_COST_USD: ${ASKS_NONE}`],
  ],
  [
    'a limit on USD without a price',
    { ...ENDPOINT, COLLIGATE_MAX_COST_USD: '5' },
    ['COLLIGATE_MAX_COST_USD: no model has a price, so that calls count as costing nothing'],
  ],
  [
    'a model for embeddings without an endpoint',
    { COLLIGATE_MODEL_EMBEDDING: 'vectors' },
    ['COLLIGATE_MODEL_EMBEDDING: there is no endpoint'],
  ],
  [
    'half of Langfuse',
    { LANGFUSE_PUBLIC_KEY: 'pk' },
    ['LANGFUSE_PUBLIC_KEY: neither prompts nor traces are Langfuse’s'],
  ],
  [
    'a label of prompts that are the program’s',
    { COLLIGATE_PROMPT_LABEL: 'staging' },
    ['COLLIGATE_PROMPT_LABEL: the prompts are those of the program'],
  ],
  [
    'headers for no collector',
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=b', COLLIGATE_TELEMETRY_CONTENT: 'true' },
    ['OTEL_EXPORTER_OTLP_HEADERS: there is no collector', 'COLLIGATE_TELEMETRY_CONTENT: traces go nowhere'],
  ],
  [
    'a host without a port, a build without a deployment',
    { COLLIGATE_WORKER_HTTP_HOST: '0.0.0.0', COLLIGATE_BUILD_ID: 'b' },
    [
      'COLLIGATE_WORKER_HTTP_HOST: workers have no port for their health',
      'COLLIGATE_BUILD_ID: workers have no deployment',
    ],
  ],
])('%s', (_name, env, told) => {
  expect(unused(env)).toEqual(told);
});

test.each<[string, Record<string, string>]>([
  ['nothing', {}],
  ['Redis for one port', { ...REDIS, COLLIGATE_RESPONSE_STORE: 'redis' }],
  ['PostgreSQL for one port', { ...POSTGRES, COLLIGATE_CONTENT_STORE: 'postgres' }],
  ['models', { ...ENDPOINT, OPENAI_API_KEY: 'sk', COLLIGATE_MAX_TOKENS: '5' }],
  [
    'vectors without an engine that asks',
    { OPENAI_BASE_URL: 'http://127.0.0.1:1', COLLIGATE_MODEL_EMBEDDING: 'v' },
  ],
  [
    'Langfuse for prompts',
    { ...ENDPOINT, ...LANGFUSE, COLLIGATE_PROMPT_PROVIDER: 'langfuse', COLLIGATE_PROMPT_LABEL: 'x' },
  ],
  [
    'Langfuse for traces',
    { ...LANGFUSE, COLLIGATE_TELEMETRY_LANGFUSE: 'true', COLLIGATE_TELEMETRY_CONTENT: '1' },
  ],
  ['keys', { COLLIGATE_ENCRYPTION_KEYS: KEY }],
  [
    'what is the default anyway',
    {
      COLLIGATE_STORES: 'lmdb',
      COLLIGATE_REDIS_KEY_PREFIX: 'colligate',
      COLLIGATE_TELEMETRY_CONTENT: 'false',
    },
  ],
])('of %s nothing is told', (_name, env) => {
  expect(unused(env)).toEqual([]);
});

test('a setting of the file is told by its name there, with what to do', () => {
  writeConfigFile({ redis: { keyPrefix: 'mine' }, openai: { prices: { small: { input: 1, output: 1 } } } });
  expect(settingUses({ cwd: path(), env: {} })).toEqual([
    {
      path: 'redis.keyPrefix',
      name: 'redis.keyPrefix',
      from: 'file',
      value: '"mine"',
      unused: {
        why: 'no store is kept in redis',
        advice: 'Choose it, as with COLLIGATE_STORES=redis',
      },
    },
    expect.objectContaining({
      name: 'openai.prices',
      from: 'file',
      unused: {
        why: ASKS_NONE,
        advice:
          'Set OPENAI_BASE_URL, COLLIGATE_MODEL_FAST and COLLIGATE_MODEL_STRONG, or name the engine with COLLIGATE_ENGINE',
      },
    }),
  ]);
});

test('what another setting wins over is told', () => {
  const [keys, key] = [join(path(), 'keys'), join(path(), 'key')];
  writeFileSync(keys, KEY);
  writeFileSync(key, 'sk');
  const env = { COLLIGATE_ENCRYPTION_KEYS: KEY, COLLIGATE_ENCRYPTION_KEY_FILE: keys };
  expect(unused({ ...env, ...ENDPOINT, OPENAI_API_KEY: 'sk', OPENAI_API_KEY_FILE: key })).toEqual([
    'OPENAI_API_KEY_FILE: OPENAI_API_KEY wins',
    'COLLIGATE_ENCRYPTION_KEY_FILE: COLLIGATE_ENCRYPTION_KEYS wins',
  ]);
});
