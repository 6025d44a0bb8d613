import { join } from 'node:path';
import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import { ended } from '../../support/follow-run';
import { openRunBench } from '../../support/run-bench';
import {
  describeWithPostgres,
  type PostgresServer,
  startPostgres,
} from '../../support/services/postgres-server';

const NOTES = join(__dirname, '../../../examples/vitamin-d');

/** The report's Markdown, made on a server and in a folder of its own. */
async function reportWith(env: Record<string, string>): Promise<string> {
  const bench = await openRunBench({ env });
  try {
    await bench.startWorker({ extractive: createExtractiveEngine(bench) });
    const question = 'Does vitamin D supplementation improve health outcomes, and by how much?';
    const { status, markdown } = await ended(
      bench.report('the-same', { question, sources: { paths: [NOTES] } }),
    );
    expect(status).toBe('completed');
    return markdown;
  } finally {
    await bench.close();
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
