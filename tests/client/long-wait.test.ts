import { spawn } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createColligateClient } from '../../src/client';
import { loadConfig } from '../../src/config/config';
import { openStores } from '../../src/stores/open-stores';
import { connectClient } from '../../src/temporal/connect';
import { findServerBinary } from '../../src/temporal/find-server-binary';
import { findFreePorts } from '../../src/temporal/free-ports';
import { serverAnswers } from '../../src/temporal/server-probe';
import { until } from '../support/until';

test('waiting over many long polls adds no listeners', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'colligate-wait-'));
  const { path: binary } = await findServerBinary(loadConfig());
  const [port] = await findFreePorts();
  const address = `127.0.0.1:${port}`;
  // A poll that ends after a quarter of a second is as good as one that ends after the usual twenty.
  const polls = ['--dynamic-config-value', 'history.longPollExpirationInterval="250ms"'];
  const server = spawn(
    binary,
    ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port), ...polls],
    { stdio: 'ignore' },
  );
  const closing: (() => Promise<void>)[] = [];
  try {
    await until(() => serverAnswers(address, { namespace: 'default' }));
    const { connection, client } = await connectClient({ ...loadConfig().temporal, address });
    closing.push(() => connection.close());
    const stores = await openStores({ stores: 'lmdb', dataDir: folder });
    closing.push(() => stores.close());
    await client.workflow.start('waits', { workflowId: 'waited-for', taskQueue: 'nobody' });
    let asked = 0;
    const poll = connection.workflowService.getWorkflowExecutionHistory.bind(connection.workflowService);
    connection.workflowService.getWorkflowExecutionHistory = ((request: object) => {
      asked += 1;
      return poll(request);
    }) as typeof poll;
    const stop = new AbortController();
    const run = createColligateClient({ client, taskQueue: 'nobody', ...stores }).run('waited-for');
    const closed = run.waitUntilClosed({ signal: stop.signal }).catch((reason: unknown) => reason);
    await until(async () => asked > 12);
    // Node warns of the eleventh.
    expect(getEventListeners(stop.signal, 'abort').length).toBeLessThan(3);
    stop.abort(new Error('enough'));
    expect(await closed).toMatchObject({ message: 'enough' });
  } finally {
    for (const close of closing.reverse()) await close();
    server.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
});
