import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { msToTs } from '@temporalio/common/lib/time';
import type { BinaryAttempt } from '../../src/app/app-errors';
import { loadConfig } from '../../src/app/config';
import { findReadyBinary } from '../../src/app/temporal/server-binary';
import { isProcessAlive, serverFiles } from '../../src/app/temporal/server-record';
import {
  arePortsFree,
  findFreePorts,
  type SpawnedServer,
  spawnServer,
} from '../../src/app/temporal/spawn-server';
import { connectClient } from '../../src/app/temporal/temporal-connection';
import { registerSearchAttributes } from '../../src/app/temporal/temporal-server';

/** Names the address of the Temporal server that all test files share. */
export const SHARED_SERVER = 'COLLIGATE_TEST_TEMPORAL';

/** Where the runs of a test are. */
export interface TestNamespace {
  address: string;
  namespace: string;
  stop(): Promise<void>;
}

/** A real development server on a file of its own; its address stays the same over a restart. */
export interface TestServer extends TestNamespace {
  uiUrl: string;
  /** Ends the server with SIGKILL, as a crash would; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same file and ports, after `kill`, or instead of the running one. */
  restart(): Promise<void>;
  /** Stops the server and removes its file. */
  stop(): Promise<void>;
}

/** Starts a server on free loopback ports with the namespace `default` and the search attributes of a run. */
export async function startTestServer(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-temporal-'));
  const ports = await findFreePorts();
  const start = (): Promise<SpawnedServer> => startServer(folder, ports);

  let server = await start();
  const kill = async (): Promise<void> => {
    if (!isProcessAlive(server.pid)) return;
    process.kill(server.pid, 'SIGKILL');
    while (isProcessAlive(server.pid)) await sleep(10);
  };
  return {
    address: server.address,
    namespace: 'default',
    uiUrl: server.uiUrl,
    kill,
    restart: async () => {
      await kill();
      // The address is in the hands of clients and workers: it is waited for, not changed.
      while (!(await arePortsFree(ports))) await sleep(20);
      server = await start();
    },
    stop: async () => {
      // Its file goes with it, so there is nothing to shut down in good order.
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

/** A namespace of its own on the server that all test files share; for tests that do no harm to it. */
export async function openTestNamespace(): Promise<TestNamespace> {
  const address = process.env[SHARED_SERVER];
  if (address === undefined)
    throw new Error(`${SHARED_SERVER} is not set: the global setup of the tests sets it.`);
  const namespace = `test-${randomUUID()}`;
  const { connection } = await connectClient({ ...loadConfig().temporal, address }, { timeoutMs: 20_000 });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  const { available, reason } = await registerSearchAttributes(connection, namespace, { timeoutMs: 20_000 });
  await connection.close();
  if (!available) throw new Error(reason ?? 'there are no search attributes');
  return { address, namespace, stop: async () => undefined };
}

/** Starts a server whose file is in `folder`. Rejects where no binary of the server is found. */
export async function startServer(folder: string, ports?: readonly [number, number]): Promise<SpawnedServer> {
  const attempts: BinaryAttempt[] = [];
  const ready = await findReadyBinary(loadConfig(), attempts);
  if (ready === null) {
    const looked = attempts.map(({ place, problem }) => `${place}: ${problem}`).join('; ');
    throw new Error(
      `No Temporal server was found (${looked}). "npm test" gets one; PATH and COLLIGATE_CACHE_DIR are searched.`,
    );
  }
  return spawnServer({
    binary: ready.path,
    files: serverFiles(folder),
    namespace: 'default',
    ports: ports ?? (await findFreePorts()),
  });
}
