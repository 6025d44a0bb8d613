import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../src/app/config';
import { openVerifier, withTexts } from '../../src/app/local-tasks';
import { anyAsksModels, createEngines, openModelClient } from '../../src/app/model-endpoint';
import { openSession, type Session, type SessionNeeds } from '../../src/app/session';
import type { SessionEvent } from '../../src/app/session-server';
import { createRateLimiters } from '../../src/engines/model/rate-limiter';
import type { ThreadPool } from '../../src/engines/thread-pool';
import { sharedParser } from '../../src/sources/formats/document-parser';
import { openStores } from '../../src/stores/open-stores';
import type { Stores } from '../../src/stores/stores';
import { useSourceFolder } from '../sources/source-folder';
import { startLoggingServer } from '../support/logging-server';
import { startTestServer, type TestServer } from '../support/temporal-server';
import { createTestThreads } from '../support/test-threads';

describe('createEngines', () => {
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
    const engines = await createEngines(config, { threads, stores, paces: createRateLimiters() });
    expect(Object.entries(engines).map(([name, engine]) => [name, engine.name])).toEqual([
      ['extractive', 'extractive'],
    ]);
    expect(anyAsksModels(engines)).toBe(false);
    expect(openModelClient(config)).toBeNull();
  });

  test('with an endpoint and its models each engine is there under its own name', async () => {
    const config = configured({ flags: ENDPOINT });
    const engines = await createEngines(config, { threads, stores, paces: createRateLimiters() });
    expect(Object.entries(engines).map(([name, engine]) => [name, engine.name])).toEqual([
      ['extractive', 'extractive'],
      ['openai', 'openai'],
    ]);
    expect(anyAsksModels(engines)).toBe(true);
    expect(config.engine).toBe('openai');
  });

  test('an endpoint can be looked at where another engine is chosen', () => {
    const config = configured({ flags: { ...ENDPOINT, engine: 'extractive' } });
    expect(openModelClient(config)).not.toBeNull();
  });
});

describe('openSession', () => {
  const NOTES = join(__dirname, '../../examples/vitamin-d');

  let folder: string;

  let server: TestServer;

  const news: SessionEvent[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'colligate-session-'));
    server = await startTestServer();
  });

  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  function configWith(env: Record<string, string>): Config {
    const given = { COLLIGATE_LOG_LEVEL: 'silent', ...env };
    return loadConfig({ cwd: folder, env: given, flags: { 'worker.threads': 1 } });
  }

  function open(config: Config, needs: SessionNeeds): Promise<Session> {
    return openSession({ config, needs, tell: (happened) => news.push(happened) });
  }

  test('a session that may not start anything says what is missing', async () => {
    const alone = configWith({});
    await expect(open(alone, { server: 'must-run', worker: 'none' })).rejects.toMatchObject({
      name: 'NoServerError',
    });
    const served = configWith({ TEMPORAL_ADDRESS: server.address });
    await expect(open(served, { server: 'must-run', worker: 'must-run' })).rejects.toMatchObject({
      name: 'NoWorkerError',
      lacking: 'runs',
      queues: ['colligate', 'colligate-computing'],
    });
  });

  test('a session carries out a run without a command line, and leaves a server that is not its own', async () => {
    const config = configWith({ TEMPORAL_ADDRESS: server.address });
    const session = await open(config, { server: 'start', worker: 'start' });
    try {
      expect(session.startedServer).toBe(false);
      expect(await session.queuesWithoutWorker()).toEqual(['colligate', 'colligate-computing']);
      expect(await session.keepWorker()).toBe('runs');
      expect(await session.keepWorker()).toBeNull();
      const { run } = await session.client.startReport({
        question: 'Does vitamin D supplementation improve health outcomes, and by how much?',
        sources: { paths: [NOTES] },
        engine: 'extractive',
        synthesis: config.synthesis,
        budget: {},
        searchAttributes: session.searchAttributes,
      });
      expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    } finally {
      await session.close();
    }
    expect(news).toEqual([]);
    const again = await open(config, { server: 'must-run', worker: 'none' });
    expect(await again.client.list()).toHaveLength(1);
    await again.close();
  });
});

describe('texts of subtopics', () => {
  const folder = useSourceFolder();

  const config = { fetch: { allow: [], paceMs: 0, contact: null }, cwd: process.cwd() };

  it('are matched for a client whose files are read, however many others wait', async () => {
    const file = await folder.write('a.md', '# Zinc and colds\n\nZinc helped.');
    const asker = { id: 'ann', signal: new AbortController().signal };
    const run = vi.spyOn(sharedParser(), 'run');
    const records = { records: [{ title: 'Zinc and colds', content: 'Zinc helped.' }] };
    const markdown = 'Zinc helped [1].\n\n## Sources\n\n1. Zinc and colds\n';
    const isLastBegun = (): unknown => run.mock.lastCall?.[1]?.isBegun;
    try {
      for (const [sources, isBegun] of [
        [{ paths: [file] }, true],
        [{ parts: [records, { paths: [file] }] }, true],
        [records, false],
      ] as const) {
        const subtopics = [{ title: 'Zinc', summary: 'Zinc helped [1].' }];
        await withTexts({ subtopics, warnings: [] }, { ...sources, asker }, config);
        expect([sources, isLastBegun()]).toEqual([sources, isBegun]);
        await openVerifier(config).verify({ markdown, sources }, asker);
        expect([sources, isLastBegun()]).toEqual([sources, isBegun]);
      }
    } finally {
      run.mockRestore();
    }
  });

  it('are not fetched for a client who left', async () => {
    const server = await startLoggingServer();
    const leave = new AbortController();
    const gone = new Error('The client left.');
    server.serve = (_request, response) => {
      leave.abort(gone);
      response.end('A page.');
    };
    const address = `127.0.0.1:${server.port}`;
    const links = Array.from({ length: 20 }, (_, n) => `http://${address}/${n}`);
    const asked = withTexts(
      { subtopics: [{ title: 'Zinc', summary: 'Zinc helped [1].' }], warnings: [] },
      { paths: links, asker: { id: 'ann', signal: leave.signal } },
      { ...config, fetch: { ...config.fetch, allow: [address] } },
    );
    await expect(asked).rejects.toBe(gone);
    expect(server.requests.length).toBeLessThan(links.length);
    await server.close();
  });

  it('gives each subtopic the texts that it cites, and reports uncited texts', async () => {
    await folder.write(
      'papers/zinc.md',
      '---\nurl: https://www.example.org/zinc/\n---\n# Zinc and colds\n\nZinc helped.',
    );
    await folder.write('papers/honey.md', '# Honey for coughs at night\n\nHoney helped.');
    await folder.write('papers/other.md', '# Something else\n\nNothing of it.');
    const subtopics = [
      { title: 'Zinc', summary: 'Zinc helped [1].', citations: ['https://example.org/zinc'] },
      { title: 'Honey', summary: 'Honey helped [1].\n\n## Sources\n\n1. Honey for coughs at night.' },
      {
        title: 'Nothing',
        summary: 'Nobody knows.',
        sources: [{ title: 'Its own', content: 'Its own text.' }],
      },
    ];
    const read = await withTexts({ subtopics, warnings: [] }, { paths: [`${folder.path}/papers`] }, config);
    expect(read.subtopics).toMatchObject([
      {
        ...subtopics[0],
        sources: [{ url: 'https://www.example.org/zinc/', content: '# Zinc and colds\n\nZinc helped.' }],
      },
      { ...subtopics[1], sources: [{ title: 'Honey for coughs at night' }] },
      subtopics[2] ?? {},
    ]);
    expect(read.subtopics[2]).toEqual(subtopics[2]);
    expect(read.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('No subtopic cites “Something else”'),
    ]);
  });
});
