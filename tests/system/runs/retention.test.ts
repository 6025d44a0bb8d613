import type { ArtifactRef } from '../../../src/contracts/source';
import type { Stores } from '../../../src/stores/stores';
import { forAllTests } from '../../support/for-all-tests';
import { openRunBench } from '../../support/run-bench';
import { until } from '../../support/until';

const DAY_MS = 86_400_000;
/** What a schedule that fires seldom remembers. */
const SCHEDULE = 'schedule:yearly:0a1b2c3d';

const bench = forAllTests(openRunBench);

/** Runs to their end, one after the other; what each has stored. */
async function runAll(...runIds: string[]): Promise<Map<string, ArtifactRef>> {
  const worker = await bench.startWorker();
  const stored = new Map<string, ArtifactRef>();
  for (const runId of runIds) {
    const run = await bench.report(runId);
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const closing = (await bench.eventsOf(runId)).at(-1);
    if (closing?.type !== 'run-completed') throw new Error('the run must have completed');
    stored.set(runId, closing.payload.reportRef);
    await bench.stores.responses.put(runId, 'shared answer', 'paid for once', { ttlMs: DAY_MS });
    await bench.stores.responses.put(runId, `answer of ${runId}`, 'paid for', { ttlMs: DAY_MS });
  }
  await worker.drain();
  return stored;
}

/** As the server's own retention does. */
async function forgetOnServer(runId: string): Promise<void> {
  const { workflowService, options } = bench.client;
  const handle = bench.client.workflow.getHandle(runId);
  await workflowService.deleteWorkflowExecution({
    namespace: options.namespace,
    workflowExecution: { workflowId: runId, runId: (await handle.describe()).runId },
  });
  await until(
    () =>
      handle.describe().then(
        () => false,
        () => true,
      ),
    (isGone) => isGone,
  );
}

/** The same stores, for which some runs were two days ago. */
function longAgo(...runIds: string[]): Stores {
  const { stores } = bench;
  const aged: Stores['events'] = {
    ...stores.events,
    async read(runId, options) {
      const events = await stores.events.read(runId, options);
      const before = (at: string): string => new Date(Date.parse(at) - 2 * DAY_MS).toISOString();
      return events.map((event) => (runIds.includes(runId) ? { ...event, at: before(event.at) } : event));
    },
    async clearRun(runId, options) {
      const [first] = await stores.events.read(runId, { limit: 1 });
      return stores.events.clearRun(runId, options && { begunAt: first?.at ?? null });
    },
  };
  return { ...stores, events: aged };
}

async function foundBefore(before: Date): Promise<string[]> {
  const found: string[] = [];
  for await (const { runId } of bench.colligate.endedBefore(before)) found.push(runId);
  return found;
}

/** The server forgets all at once, and takes its time over it. */
const FORGOTTEN = ['first', 'second', 'halved'];
let stored: Map<string, ArtifactRef>;
let toldOfHalved: unknown;
beforeAll(async () => {
  stored = await runAll(...FORGOTTEN, 'third');
  await bench.stores.content.clearRun('halved'); // as far as somebody came who was killed then
  toldOfHalved = await bench.colligate
    .run('halved')
    .report()
    .catch((error: unknown) => error);
  await Promise.all(FORGOTTEN.map(forgetOnServer));
});

it('finds a run that was deleted by half, and says of it what is the matter', async () => {
  expect(toldOfHalved).toMatchObject({
    message: expect.stringContaining('is gone: the run is being deleted') as string,
  });
  expect(await foundBefore(new Date())).toContain('halved');
  await bench.colligate.delete('halved');
  expect(await bench.stores.content.has(stored.get('halved') ?? '')).toBe(false);
  expect(await bench.eventsOf('halved')).toEqual([]);
  expect(await bench.stores.responses.get('looks', 'answer of halved')).toBeNull();
});

it('deletes what ended too long ago, although the server has forgotten it, and keeps what others share', async () => {
  await bench.stores.events.appendOnce(SCHEDULE, 'first', {
    type: 'scheduled-run',
    payload: { runId: 'first', reportRef: stored.get('first') ?? '', asOf: new Date().toISOString() },
  });
  const before = await bench.stores.content.statistics();
  const worker = await bench.startWorker(undefined, undefined, {
    stores: longAgo('first', 'second', SCHEDULE),
    settings: { retention: { keepMs: DAY_MS } },
  });
  const kept = await until(
    async () => (await bench.stores.events.runs()).filter((runId) => runId !== 'halved'),
    (runs) => runs.length === 2,
  );
  expect(kept.sort()).toEqual([SCHEDULE, 'third']);
  const { taskQueue, namespace } = bench.config.temporal;
  const place = `retention/${namespace}/${taskQueue}`;
  const take = (): Promise<boolean> => bench.stores.responses.acquireLease(place, 'another worker', 60_000);
  expect(await take()).toBe(false);
  await worker.drain();
  expect(await take()).toBe(true);

  const after = await bench.stores.content.statistics();
  expect(after.artifacts).toBeLessThan(before.artifacts);
  expect(after.totalChars).toBeLessThan(before.totalChars);
  const { content, responses } = bench.stores;
  for (const runId of ['first', 'second']) {
    expect(await content.has(stored.get(runId) ?? '')).toBe(false);
    expect(await responses.get('looks', `answer of ${runId}`)).toBeNull();
    await expect(bench.colligate.run(runId).report()).rejects.toThrow(`no run "${runId}"`);
  }
  const third = bench.colligate.run('third');
  expect((await third.report())?.report.question).toBe('Which habits help?');
  expect((await third.passResult('gather'))?.sources.length).toBeGreaterThan(1);
  expect((await responses.get('third', 'shared answer'))?.body).toBe('paid for once');
  const again = await runAll('fourth'); // over the sources that the third holds
  expect(again.size).toBe(1);
});

it('finds what has ended, known to the server or begun by nobody, and never what goes on', async () => {
  await runAll('ended');
  for (const runId of ['waiting', 'never-begun']) await bench.report(runId);
  await bench.client.workflow.getHandle('never-begun').terminate();
  const found = await until(
    () => foundBefore(new Date()),
    (runIds) => runIds.includes('never-begun') && runIds.includes('ended'),
  );
  expect(found).not.toContain('waiting');
  expect(await foundBefore(new Date(Date.now() - DAY_MS))).toEqual([]);
  for (const runId of ['ended', 'never-begun']) await bench.colligate.delete(runId);
  await bench.colligate.run('waiting').cancel();
});
