import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { News } from '../../src/app/session/news';
import { openSession, type Session, type SessionNeeds } from '../../src/app/session/open-session';
import { loadConfig, type Config } from '../../src/config/config';
import { startTestServer, type TestServer } from '../support/temporal-server';

const NOTES = join(__dirname, '../../examples/vitamin-d');

let folder: string;
let server: TestServer;
const news: News[] = [];

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
