import {} from '../../cli/command-line-under-test';
import { until } from '../../support/until';
import {
  flood,
  KINDS,
  leftOf,
  openFloodStand,
  startBeside,
  startWaiting,
  type FloodStand,
  type Left,
} from './flood';

/** The long form, three times over, is `npm run test:long -- reliability -- --flood 3`. */
const SIZE = {
  badSignals: 1_500,
  goodSignals: 1_500,
  switches: 600,
  updates: 100,
  queries: 50,
  runsBeside: 8,
};
const MOST_BYTES = 2_000_000;

let stand: FloodStand;
beforeAll(async () => {
  stand = await openFloodStand();
});
afterAll(() => stand.close());

it('lets no flood of messages at one run reach another, nor end the worker, nor fill a history', async () => {
  const calm = new Map<string, Left>();
  for (const kind of KINDS) {
    await startBeside(stand, kind, `calm-${kind}`);
    calm.set(kind, await leftOf(stand, kind, `calm-${kind}`));
  }
  const seen = await flood(stand, 'once', SIZE);
  for (const { kind, left } of seen.beside) {
    expect(left).toMatchObject({ status: calm.get(kind)?.status, foreign: [] });
    expect(left.markdown).toBe(calm.get(kind)?.markdown);
  }
  expect(seen.beside).toHaveLength(SIZE.runsBeside);
  expect(seen.flooded).toEqual({ status: 'completed', foreign: [] });
  expect(seen.updates).toEqual({ applied: SIZE.updates });
  expect(seen.historyBytes).toBeLessThan(MOST_BYTES);
  expect(seen.eventLogBytes).toBeLessThan(MOST_BYTES);
  // Each was taken, refused or ignored, and that is known.
  const { refused, ignored } = seen.idleSignals;
  expect(refused).toBeGreaterThan(0);
  expect(ignored).toBeGreaterThan(0);
  expect(stand.worker.child.exitCode).toBeNull();
});

it('takes a word from people of a run whose history takes no more signals, once it has gone on', async () => {
  const run = await startWaiting(stand, 'full');
  const handle = stand.client.workflow.getHandle('full');
  stand.worker.child.kill('SIGSTOP');
  try {
    const refusals: unknown[] = [];
    while (refusals.length === 0)
      await Promise.all(
        Array.from({ length: 100 }, () =>
          handle.signal('pause').catch((error: unknown) => refusals.push(error)),
        ),
      );
    const resumed = run.resume();
    stand.worker.child.kill('SIGCONT');
    await resumed;
  } finally {
    stand.worker.child.kill('SIGCONT');
  }
  await run.approveOutline({ timeoutMs: 120_000 });
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
});

it('goes on from a pause that signals without number came behind, whether or not its history takes one more', async () => {
  const run = await startWaiting(stand, 'held');
  const handle = stand.client.workflow.getHandle('held');
  await run.pause();
  await run.addSources({
    records: [{ id: 'late', title: 'Walking', content: 'Vitamin D improved walking in 300 adults.' }],
  });
  // In the midst of what it does about them a run goes on in no new history.
  const refusals: unknown[] = [];
  const sent = async (signals: number): Promise<void> => {
    for (let n = 0; n < signals && refusals.length === 0; n += 100)
      await Promise.all(
        Array.from({ length: 100 }, () =>
          handle.signal('pause').catch((error: unknown) => refusals.push(error)),
        ),
      );
  };
  await sent(800);
  expect(refusals).toEqual([]);
  await run.resume();
  await until(
    () => run.progress(),
    ({ status }) => status === 'awaiting-approval',
  );

  await run.pause();
  await run.addSources({
    records: [{ id: 'later', title: 'Stairs', content: 'Vitamin D improved climbing in 80 adults.' }],
  });
  await sent(Infinity);
  await run.resume();
  await run.approveOutline({ timeoutMs: 120_000 });
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
});
