import { showProgress } from '../../../src/cli/progress/progress-display';
import type { OutageSettings } from '../../../src/contracts/run/outages';
import { refuses } from '../../model-server/behaviours';
import { until } from '../../support/until';
import { openModelBench, type ModelBench } from './model-bench';

const PATIENT: OutageSettings = { patienceMs: 3_600_000, afterwards: 'park', firstWaitMs: 200, attempts: 2 };

let bench: ModelBench;
beforeAll(async () => {
  bench = await openModelBench();
});
afterEach(() => bench.rest());
afterAll(() => bench.close());

test('a run whose endpoint is away tells what it waits for and why, at a terminal and on its page', async () => {
  const served = await bench.serve(() => refuses(503, { message: 'The server is restarting' }));
  await served.start('away-told', { outages: PATIENT });
  const run = bench.colligate.run('away-told');
  const progress = await until(
    () => run.progress(),
    ({ waiting }) => waiting !== null,
  );
  let drawn = '';
  const display = showProgress({ isTTY: true, columns: 500, write: (text) => (drawn += text) });
  display.update(progress);
  display.end();
  const { content } = await until(
    () => bench.colligate.export('away-told', 'html'),
    ({ content: written }) => String(written).includes('<dt>Waiting</dt>'),
  );
  const told = /for the model endpoint since [\d: -]+UTC/.exec(drawn)?.[0];
  expect(told).toBeDefined();
  expect(content).toContain(told);
  for (const shown of [drawn, String(content)]) expect(shown).toContain('The server is restarting');
  await run.cancel();
  await run.waitUntilClosed();
});
