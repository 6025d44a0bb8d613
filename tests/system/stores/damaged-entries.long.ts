import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createEngines } from '../../../src/app/create-engines';
import { modelChoices } from '../../../src/config/model-choices';
import { createPaces } from '../../../src/engines/model/paid/paces';
import { Secret } from '../../../src/platform/secret';
import { type ChosenStores, openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import { createGoodModel } from '../../model-server/good-model';
import { startModelServer } from '../../model-server/model-server';
import {
  bytesInLmdb,
  bytesInPostgres,
  bytesInRedis,
  damageEntries,
  type StoredBytes,
} from '../../stores/stored-bytes';
import { askAnswer } from '../../support/ask-answer';
import { forAllTests } from '../../support/for-all-tests';
import { cases, LONG } from '../../support/long';
import { openRunBench } from '../../support/run-bench';
import {
  describeWithPostgres,
  type PostgresServer,
  startPostgres,
} from '../../support/services/postgres-server';
import { describeWithRedis, startRedisServer, type RedisServer } from '../../support/services/redis-server';

const NOTES = join(__dirname, '../../../examples/vitamin-d');
const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';
const DAMAGED = cases(4, 60);

const bench = forAllTests(openRunBench);
const good = createGoodModel();
const model = forAllTests(() => startModelServer((request) => good.answer(request)));
let folder: string;
let sourcesFile: string;

beforeAll(async () => {
  folder = dirname(bench.config.dataDir);
  sourcesFile = join(folder, 'sixty.jsonl');
  const sources = Array.from({ length: DAMAGED }, (_, at) => ({
    id: `note-${at}`,
    title: `Note ${at}`,
    content: `Trial ${at} gave ${at + 10} adults vitamin D for ${at + 1} months. Bone density rose by ${at} percent.`,
  }));
  await writeFile(sourcesFile, sources.map((source) => JSON.stringify(source)).join('\n'));
});

/** What a run left, and what it was told of damage. */
interface Ran {
  text: string;
  damageTold: string[];
  asked: number;
}

interface Case {
  chosen: ChosenStores;
  responses: StoredBytes;
  derived: StoredBytes;
}

/** The runs of one installation, each on stores that were opened anew, so that nothing is left in memory. */
function runsOn(chosen: ChosenStores) {
  const openai = {
    ...bench.config.openai,
    baseUrl: model.baseUrl,
    models: { fast: 'small', strong: 'large', critic: null, embedding: null },
    maxConcurrentCalls: 8,
  };
  async function onNewStores(runId: string, use: (stores: Stores) => Promise<string>): Promise<Ran> {
    const warnings: string[] = [];
    const stores = await openStores(chosen, { warn: (message) => warnings.push(message) });
    const paces = createPaces(stores.limits, { waited: () => undefined, held: () => undefined });
    const { threads } = bench;
    const engines = await createEngines({ ...bench.config, openai }, { threads, stores, paces });
    const worker = await bench.startWorker(engines, undefined, { stores });
    const before = model.asked.length;
    try {
      const text = await use(stores);
      const events = await stores.events.read(runId);
      const told = events.flatMap(({ type, payload }) =>
        type === 'warning' && payload.code === 'damaged-entry' ? [payload.message] : [],
      );
      return { text, damageTold: [...told, ...warnings], asked: model.asked.length - before };
    } finally {
      await worker.drain();
      await stores.close();
    }
  }
  return {
    report: (runId: string): Promise<Ran> =>
      onNewStores(runId, async (stores) => {
        const byModel = { engine: 'openai', models: modelChoices(openai) } as const;
        const request = { runId, question: QUESTION, sources: { paths: [NOTES] }, ...byModel };
        const { run } = await bench.colligateOn(stores).startReport(bench.request(request));
        expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
        return (await run.report())?.markdown ?? 'no report';
      }),
    answer: (requestId: string): Promise<Ran> =>
      onNewStores(requestId, async (stores) => {
        const sources = await bench.stored(requestId, { stores, paths: [sourcesFile] });
        const question = 'How many months was vitamin D given in trial 7?';
        const reply = await askAnswer(bench, requestId, { question, ...sources });
        return reply.answer;
      }),
  };
}

/** The next run completes as if nothing had happened, and the one after it finds everything mended. */
function mendsItself(name: string, prepare: () => Case): void {
  it('asks a model again for each damaged answer, once, and finds the store mended after that', async () => {
    const { chosen, responses } = prepare();
    const runs = runsOn(chosen);
    const whole = await runs.report(`${name}-report-whole`);
    const entries = [...(await responses.read()).keys()];
    const damaged = await damageEntries(responses, { count: DAMAGED, seed: 7 });
    expect(damaged).toBe(Math.min(DAMAGED, entries.length));
    const hurt = await runs.report(`${name}-report-hurt`);
    const mended = await runs.report(`${name}-report-mended`);
    expect(hurt.text).toBe(whole.text);
    expect(mended).toEqual({ text: whole.text, damageTold: [], asked: 0 });
    // What is kept of a model's abilities is an entry too, and asks nothing.
    expect(hurt.asked).toBeGreaterThanOrEqual(damaged - 3);
    expect(hurt.asked).toBeLessThanOrEqual(damaged);
    expect(new Set(hurt.damageTold).size).toBe(hurt.damageTold.length);
    expect(hurt.damageTold.length).toBeGreaterThanOrEqual(damaged - 1);
  });

  it('makes damaged indexes anew with one warning, and finds the store mended after that', async () => {
    const { chosen, derived } = prepare();
    const runs = runsOn(chosen);
    const whole = await runs.answer(`${name}-answer-whole`);
    const all = (await derived.read()).size;
    expect(await damageEntries(derived, { count: all, seed: 9 })).toBeGreaterThan(DAMAGED);
    const hurt = await runs.answer(`${name}-answer-hurt`);
    const mended = await runs.answer(`${name}-answer-mended`);
    expect(hurt.text).toBe(whole.text);
    // The corpus's index, and those of its sources.
    expect(hurt.damageTold).toEqual([
      expect.stringContaining('An index or vectors in the store'),
      expect.stringContaining(`${DAMAGED} indexes or vectors in the store`),
    ]);
    expect(mended).toEqual({ text: whole.text, damageTold: [], asked: 0 });
  });
}

describe('damaged entries in files', () => {
  mendsItself('lmdb', () => {
    const dataDir = join(folder, 'lmdb');
    return {
      chosen: { stores: 'lmdb', dataDir },
      responses: bytesInLmdb(dataDir, 'responses'),
      derived: bytesInLmdb(dataDir, 'derived'),
    };
  });
});

// What damage is to each store is shown by their contract; here by whole runs.
const describeLong = LONG ? describeWithRedis : () => undefined;
describeLong('damaged entries on Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => (redis = await startRedisServer(['--appendfsync', 'no'])));
  afterAll(() => redis.stop());
  mendsItself('redis', () => ({
    chosen: {
      stores: 'redis',
      dataDir: '',
      redis: { url: redis.url, keyPrefix: 'damaged', ttlMs: 90 * 86_400_000 },
    },
    responses: bytesInRedis(redis.url, 'damaged', 'responses'),
    derived: bytesInRedis(redis.url, 'damaged', 'derived'),
  }));
});

const describeLongWithPostgres = LONG ? describeWithPostgres : () => undefined;
describeLongWithPostgres(() => {
  let postgres: PostgresServer;
  beforeAll(async () => (postgres = await startPostgres({ fsync: 'off' })));
  afterAll(() => postgres.remove());
  mendsItself('postgres', () => {
    const dataDir = join(folder, 'beside-postgres');
    return {
      chosen: {
        stores: 'lmdb',
        dataDir,
        portStores: { content: 'postgres', derived: 'postgres' },
        postgres: { url: new Secret(postgres.url), schema: 'damaged' },
      },
      responses: bytesInLmdb(dataDir, 'responses'),
      derived: bytesInPostgres(postgres.url, 'damaged', 'derived'),
    };
  });
});
