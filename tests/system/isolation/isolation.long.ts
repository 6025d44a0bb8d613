import path from 'node:path';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Worker,
  type WorkflowBundle,
} from '@temporalio/worker';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { openHealth } from '../../../src/app/health/open-health';
import { ISOLATION } from '../../../src/app/worker/isolation';
import { installRuntime } from '../../../src/app/worker/worker-runtime';
import { WorkerFailedError } from '../../../src/app/worker/worker-failed-error';
import { describeFailure } from '../../../src/cli/failures/describe-failure';
import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { until } from '../../support/until';
import { page } from '../workers/workers-under-test';

let bench: RunBench;
let hostile: WorkflowBundle;

beforeAll(async () => {
  installRuntime('silent');
  bench = await openRunBench();
  hostile = await bundleWorkflowCode({
    workflowsPath: path.join(__dirname, 'hostile-workflows.ts'),
    logger: new DefaultLogger('ERROR'),
  });
});
afterAll(() => bench.close());

/** A worker of the hostile workflows, with neighbours under way in each of its threads. */
async function withNeighbours(
  taskQueue: string,
  options: Partial<typeof ISOLATION>,
  work: (start: (type: string, ...args: unknown[]) => Promise<WorkflowHandle>) => Promise<void>,
): Promise<void> {
  const { address, namespace } = bench.target;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: hostile,
    ...ISOLATION,
    ...options,
  });
  const ended = worker.run().catch((error: unknown) => error);
  let started = 0;
  const start = (type: string, ...args: unknown[]): Promise<WorkflowHandle> =>
    bench.client.workflow.start(type, {
      taskQueue,
      args,
      workflowId: `${taskQueue}-${type}-${(started += 1)}`,
      workflowRunTimeout: '2 minutes',
    });
  try {
    await work(start);
  } finally {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await ended;
    await connection.close();
  }
}

async function memosIn(handle: WorkflowHandle): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => event.workflowPropertiesModifiedEventAttributes).length;
}

describe('a workflow task that takes longer than the SDK lets one', () => {
  it('is carried out to its end, and nothing of it reaches another run', async () => {
    await withNeighbours('patient', {}, async (start) => {
      const neighbours = [await start('neighbour'), await start('neighbour'), await start('neighbour')];
      const hog = await start('hog', 6_000);
      expect(await hog.result()).toBeUndefined();
      expect(await memosIn(hog)).toBe(50);
      for (const neighbour of neighbours) {
        expect(await neighbour.result()).toBe('undisturbed');
        expect(await memosIn(neighbour)).toBe(0);
      }
    });
  });

  it('leaves nothing to another run where it is broken off', async () => {
    await withNeighbours('impatient', { isolateExecutionTimeout: '500ms' }, async (start) => {
      const neighbours = [await start('neighbour'), await start('neighbour'), await start('neighbour')];
      const hog = await start('hog', 3_000);
      await until(
        () => hog.fetchHistory(),
        ({ events }) => (events ?? []).some((event) => event.workflowTaskFailedEventAttributes),
      );
      for (const neighbour of neighbours) expect(await memosIn(neighbour)).toBe(0);
      await hog.terminate();
      for (const neighbour of neighbours) await neighbour.terminate().catch(() => undefined); // it may have ended
    });
  });
});

it('ends a worker that has failed, which is not ready any more, with a message and not in silence', async () => {
  const config = { ...bench.config, worker: { ...bench.config.worker, httpPort: 0 } };
  const health = await openHealth(config, bench.target.address);
  if (health === null) throw new Error('a port is set');
  const worker = await bench.startWorker(
    { extractive: createExtractiveEngine({ threads: bench.threads }) },
    undefined,
    { bundle: hostile },
  );
  health.of(worker, bench.stores.content);
  await until(
    () => page(`${health.url}/readyz`),
    ({ status }) => status === 200,
  );
  const { taskQueue } = bench.config.temporal;
  const poison = await bench.client.workflow.start('poison', { taskQueue, workflowId: 'poison' });
  const error: unknown = await worker.ended.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WorkerFailedError);
  expect((await page(`${health.url}/readyz`)).status).toBe(503);
  expect(await page(`${health.url}/healthz`)).toMatchObject({ status: 503, text: /has ended/ });
  expect(describeFailure(error)).toMatchObject({ code: 'worker-failed', exitCode: 1 });
  expect((await fetch(`${health.url}/metrics`, { method: 'DELETE' })).status).toBe(405);
  await poison.terminate();
  await expect(poison.result()).rejects.toThrow(WorkflowFailedError);
  await health.close();
});
