import { randomUUID } from 'node:crypto';
import { REPORT_SCRIPT } from '../../support/report-script';
import { createScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { reportOf, useScriptedRuns } from '../runs/scripted-runs';

const runs = useScriptedRuns();

const MESSAGES = 300;
const AT_ONCE = 10;
const KILL_BEHIND = 120;

it(`applies each of ${MESSAGES} updates and signals once while the run goes on in new histories and a worker goes`, async () => {
  runs.engine = createScriptedEngine(REPORT_SCRIPT);
  const { bench } = runs;
  const runId = 'many-messages';
  const lists = await Promise.all(
    [1, 2, 3].map(async (n) =>
      bench.colligate.openCorpus(
        {
          records: [
            {
              id: `walk-new-${n}`,
              title: `Walking ${n}`,
              content: `Walking improved sleep in ${n}00 adults.`,
            },
          ],
        },
        { heldBy: runId },
      ),
    ),
  );
  const run = await bench.startRun(runId, {
    continueAsNewAfterEvents: 200,
    approval: { timeoutMs: 3_600_000 },
  });
  await until(
    () => run.progress(),
    ({ status }) => status === 'awaiting-approval',
  );
  const histories = new Set<string>();
  const handle = bench.client.workflow.getHandle(runId);
  let sent = 0;
  const next = async (): Promise<void> => {
    for (let n = sent++; n < MESSAGES; n = sent++) {
      if (n === KILL_BEHIND) {
        await runs.stopWorker();
        await runs.startWorker();
      }
      const options = { id: `message-${n}`, timeoutMs: 120_000 };
      const list = lists[n % lists.length];
      if (list === undefined) throw new Error('there are three lists');
      const { manifestRef } = list;
      if (n % 4 === 0) await run.addSources({ manifestRef, count: 1 }, options);
      else if (n % 4 === 1) await run.setBudget({ maxTokens: 1_000_000 + n }, options);
      else if (n % 4 === 2)
        await handle.signal('addSources', { id: options.id, manifestRef, sourceCount: 1 });
      else {
        await run.setBudget({ maxCostUsd: 100 + n }, options);
        await run.setBudget({ maxCostUsd: 100 + n }, options);
      }
      histories.add((await handle.describe()).runId);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  const { applied } = await until(
    () => run.steering(),
    (now) => now.applied.addSources === MESSAGES / 2,
  );
  expect(applied).toEqual({ addSources: MESSAGES / 2, setBudget: MESSAGES / 2 });
  expect(histories.size).toBeGreaterThan(5);
  const steered = (await bench.stores.events.read(runId)).flatMap((event) =>
    event.type === 'steered' ? [event.payload.id] : [],
  );
  expect([...steered].sort()).toEqual(Array.from({ length: MESSAGES }, (_, n) => `message-${n}`).sort());
  await run.approveOutline({ id: randomUUID() });
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  expect((await reportOf(run)).report.sources.total).toBe(7);
}, 300_000);
