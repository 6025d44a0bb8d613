import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { newProjectFolder, spawnCommand } from '../../cli/command-line-under-test';
import { openRunBench } from '../../support/run-bench';
import { until } from '../../support/until';
import { ended, reaches } from '../../support/follow-run';
import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import { cases, LONG } from '../../support/long';
import { forAllTests } from '../../support/for-all-tests';

const NOTES = resolve(__dirname, '../../../examples/vitamin-d');
const MESSAGES = cases(32, 300);
const AT_ONCE = 10;
/** Behind so many messages sent, while others are on their way, the worker is killed. The short form has another worker take over. */
const KILL_BEHIND = LONG ? [60, 150, 240] : [16];

const bench = forAllTests(openRunBench);
let worker: { kill(): Promise<unknown> };

beforeAll(async () => {
  await startWorker();
});
afterAll(() => worker.kill());

/** On the bench's stores; in the long form a process of its own. */
async function startWorker(): Promise<void> {
  if (!LONG) {
    const here = await bench.startWorker({ extractive: createExtractiveEngine(bench) });
    worker = { kill: () => here.drain() };
    return;
  }
  const started = spawnCommand(['worker', '--json'], {
    cwd: await newProjectFolder(),
    env: {
      TEMPORAL_ADDRESS: bench.target.address,
      TEMPORAL_NAMESPACE: bench.target.namespace,
      COLLIGATE_DATA_DIR: bench.config.dataDir,
      COLLIGATE_LOG_LEVEL: 'error',
      COLLIGATE_THREADS: '1',
    },
  });
  await started.said(/\{/);
  worker = started;
}

it(`applies each of ${MESSAGES} updates and signals once while the run goes on in new histories and workers come and go`, async () => {
  const runId = 'many-messages';
  const lists = await Promise.all(
    [1, 2, 3].map((n) => {
      const content = `Vitamin D supplementation improved walking in ${n}00 adults.`;
      const records = [{ id: `walk-new-${n}`, title: `Vitamin D and walking ${n}`, content }];
      return bench.colligate.openCorpus({ records }, { heldBy: runId });
    }),
  );
  const run = await bench.startRun(
    runId,
    {
      question: 'Does vitamin D supplementation improve health outcomes in adults?',
      sourceCount: 16,
      continueAsNewAfterEvents: LONG ? 200 : 20,
      approval: { timeoutMs: 3_600_000 },
    },
    { paths: [NOTES] },
  );
  await reaches(run, 'awaiting-approval');
  const histories = new Set<string>();
  const handle = bench.client.workflow.getHandle(runId);
  let sent = 0;
  const next = async (): Promise<void> => {
    for (let n = sent++; n < MESSAGES; n = sent++) {
      if (KILL_BEHIND.includes(n)) {
        await worker.kill();
        await startWorker();
      }
      const options = { id: `message-${n}`, timeoutMs: 120_000 };
      const list = lists[n % lists.length];
      if (list === undefined) throw new Error('there are three lists');
      const { manifestRef } = list;
      if (n % 4 === 0) await run.addSources({ manifestRef, count: 1 }, options);
      else if (n % 4 === 2)
        await handle.signal('addSources', { id: options.id, manifestRef, sourceCount: 1 });
      else {
        await run.addSources({ manifestRef, count: 1 }, options);
        await run.addSources({ manifestRef, count: 1 }, options);
      }
      histories.add((await handle.describe()).runId);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  const { applied } = await until(
    () => run.steering(),
    (now) => now.applied.addSources === MESSAGES,
  );
  histories.add((await handle.describe()).runId);
  expect(applied).toEqual({ addSources: MESSAGES });
  expect(histories.size).toBeGreaterThan(LONG ? 5 : 1);
  const steered = (await bench.eventsOf(runId)).flatMap((event) =>
    event.type === 'steered' ? [event.payload.id] : [],
  );
  expect([...steered].sort()).toEqual(Array.from({ length: MESSAGES }, (_, n) => `message-${n}`).sort());
  await run.approveOutline({ id: randomUUID() });
  expect(await ended(run)).toMatchObject({ status: 'completed', report: { sources: { total: 19 } } });
});
