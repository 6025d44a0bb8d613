import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { Context, heartbeat } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { openTestNamespace, type TestNamespace } from '../support/temporal-server';
import { untilTrue } from '../support/until';

let server: TestNamespace;
beforeAll(async () => {
  server = await openTestNamespace();
});
afterAll(() => server.stop());

test('a failed item cancels the other item that is under way, and no other begins', async () => {
  const { address, namespace } = server;
  const begun: string[] = [];
  const cancelled: string[] = [];
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: 'batches',
    workflowsPath: join(__dirname, '../support/workflows/batch.ts'),
    activities: {
      async work(item: string): Promise<void> {
        begun.push(item);
        if (item === 'fails') {
          await untilTrue(() => begun.includes('waits'));
          throw ApplicationFailure.nonRetryable('This item fails.');
        }
        const beats = setInterval(heartbeat, 50);
        await Context.current()
          .cancelled.catch((reason: unknown) => {
            cancelled.push(item);
            throw reason;
          })
          .finally(() => {
            clearInterval(beats);
          });
      },
    },
  });
  const client = new Client({ connection: await Connection.connect({ address }), namespace });
  try {
    const ended = worker.runUntil(
      client.workflow.execute('batch', {
        args: [['waits', 'fails', 'never begins']],
        taskQueue: 'batches',
        workflowId: randomUUID(),
      }),
    );
    await expect(ended).rejects.toMatchObject({ cause: { cause: { message: 'This item fails.' } } });
    expect(begun.sort()).toEqual(['fails', 'waits']);
    expect(cancelled).toEqual(['waits']);
  } finally {
    await client.connection.close();
    await connection.close();
  }
});
