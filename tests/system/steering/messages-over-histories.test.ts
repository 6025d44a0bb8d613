import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createExtractiveEngine } from '../../../src/engines/extractive/module';
import type { ColligateWorker } from '../../../src/worker';
import { ended, reaches } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { openRunBench } from '../../support/run-bench';
import { until } from '../../support/until';

const NOTES = resolve(__dirname, '../../../examples/vitamin-d');
const MESSAGES = 32;
const AT_ONCE = 10;
/** Behind so many messages sent, while others are on their way, another worker takes over. */
const OTHER_WORKER_BEHIND = 16;

const bench = forAllTests(openRunBench);
let worker: ColligateWorker;

const startWorker = (): Promise<ColligateWorker> =>
  bench.startWorker({ extractive: createExtractiveEngine(bench) });

beforeAll(async () => {
  worker = await startWorker();
});
afterAll(() => worker.drain());

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
      continueAsNewAfterEvents: 20,
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
      if (n === OTHER_WORKER_BEHIND) {
        await worker.drain();
        worker = await startWorker();
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
  expect(histories.size).toBeGreaterThan(1);
  const steered = (await bench.eventsOf(runId)).flatMap((event) =>
    event.type === 'steered' ? [event.payload.id] : [],
  );
  expect([...steered].sort()).toEqual(Array.from({ length: MESSAGES }, (_, n) => `message-${n}`).sort());
  await run.approveOutline({ id: randomUUID() });
  expect(await ended(run)).toMatchObject({ status: 'completed', report: { sources: { total: 19 } } });
});
