import { Connection } from '@temporalio/client';
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { loadConfig } from '../../src/config/config';
import { connectClient } from '../../src/temporal/connect';
import { neededQueues } from '../../src/app/session/needed-queues';
import { describePollers, unpolledQueues, type TaskQueuePollers } from '../../src/temporal/pollers';
import { startTestServer, type TestServer } from '../support/temporal-server';

const namespace = 'default';
let server: TestServer;
let connection: Connection;

beforeAll(async () => {
  server = await startTestServer();
  ({ connection } = await connectClient({ ...loadConfig().temporal, address: server.address }));
});

afterAll(async () => {
  await connection.close();
  await server.stop();
});

/** Polls as a worker of that name does, until the server has noticed. */
async function pollAs(identity: string, taskQueue: string): Promise<TaskQueuePollers> {
  // Without the interceptors, which would ask again after the abort.
  const worker = await Connection.connect({ address: server.address, interceptors: [] });
  const stop = new AbortController();
  const poll = worker
    .withAbortSignal(stop.signal, () =>
      // The server refuses a poll without a deadline.
      worker.withDeadline(Date.now() + 60_000, () =>
        worker.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue }, identity }),
      ),
    )
    .catch(() => undefined);
  for (;;) {
    const pollers = await describePollers(connection, { namespace, taskQueue, kinds: ['workflows'] });
    if (pollers.lastSeenAt !== null) {
      stop.abort();
      await poll;
      await worker.close();
      return pollers;
    }
  }
}

test('a task queue that nobody polls has no worker', async () => {
  expect(await describePollers(connection, { namespace, taskQueue: 'empty' })).toEqual({
    hasWorker: false,
    identities: [],
    lastSeenAt: null,
  });
});

test('a worker that polls is seen', async () => {
  const identity = `${process.pid}@${hostname()}`;
  expect(await pollAs(identity, 'living')).toMatchObject({ hasWorker: true, identities: [identity] });
});

test('a worker of this machine whose process is gone does not count, though the server remembers it', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const pollers = await pollAs(`${pid}@${hostname()}`, 'dead');
  expect(pollers).toMatchObject({ hasWorker: false, identities: [] });
  expect(pollers.lastSeenAt).toBeInstanceOf(Date);
});

test('a worker that has not asked for longer than a poll takes does not count', async () => {
  const identity = 'elsewhere';
  expect(await pollAs(identity, 'gone')).toMatchObject({ hasWorker: true });
  const later = await describePollers(connection, {
    namespace,
    taskQueue: 'gone',
    kinds: ['workflows'],
    now: new Date(Date.now() + 100_000),
  });
  expect(later).toMatchObject({ hasWorker: false, identities: [] });
});

test('a run needs more than a worker for its workflow: activities, and the models where it asks any', async () => {
  await pollAs('elsewhere', 'workflows-only');
  const unpolled = (asksModels: boolean): Promise<string[]> =>
    unpolledQueues(connection, { namespace, queues: neededQueues('workflows-only', { asksModels }) });
  expect(await unpolled(false)).toEqual(['workflows-only', 'workflows-only-computing']);
  expect(await unpolled(true)).toEqual([
    'workflows-only',
    'workflows-only-computing',
    'workflows-only-models',
  ]);
});
