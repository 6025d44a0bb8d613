import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '../../../src/app/session/open-session';
import { loadConfig } from '../../../src/config/config';
import {
  describeWithPostgres,
  type PostgresServer,
  startPostgres,
} from '../../support/services/postgres-server';
import { startTestServer } from '../../support/temporal-server';

const NOTES = join(__dirname, '../../../examples/vitamin-d');

/** The report's Markdown, made on a server and in a folder of its own. */
async function reportWith(env: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-stores-'));
  const server = await startTestServer();
  try {
    const config = loadConfig({
      cwd: folder,
      env: { COLLIGATE_LOG_LEVEL: 'silent', TEMPORAL_ADDRESS: server.address, ...env },
      flags: { 'worker.threads': 1 },
    });
    const session = await openSession({
      config,
      needs: { server: 'start', worker: 'start' },
      tell: () => undefined,
    });
    try {
      await session.keepWorker();
      const { run } = await session.client.startReport({
        runId: 'the-same',
        question: 'Does vitamin D supplementation improve health outcomes, and by how much?',
        sources: { paths: [NOTES] },
        engine: 'extractive',
        synthesis: config.synthesis,
        budget: {},
        searchAttributes: session.searchAttributes,
      });
      expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
      const report = await run.report();
      return report?.markdown ?? 'no report';
    } finally {
      await session.close();
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

describeWithPostgres(() => {
  let postgres: PostgresServer;
  beforeAll(async () => (postgres = await startPostgres()));
  afterAll(() => postgres.remove());

  it('makes the report of one machine, byte for byte, with its texts in a database', async () => {
    const alone = await reportWith({});
    const inDatabase = await reportWith({
      COLLIGATE_POSTGRES_URL: postgres.url,
      COLLIGATE_CONTENT_STORE: 'postgres',
    });
    expect(inDatabase).toBe(alone);
    expect(alone).toContain('vitamin D');
  });
});
