import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/config';
import { findServerBinary } from '../../src/temporal/find-server-binary';
import { arePortsFree, findFreePorts } from '../../src/temporal/free-ports';
import { serverFiles } from '../../src/temporal/server-record';
import { spawnServer, type SpawnedServer } from '../../src/temporal/spawn-server';
import { isProcessAlive } from '../../src/temporal/process-of-server';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitingFor } from './time-spent';

/** A real development server on a file of its own; its address stays the same over a restart. */
export interface TestServer {
  address: string;
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
  const { path: binary } = await findServerBinary(loadConfig());
  const ports = await findFreePorts();
  const start = (): Promise<SpawnedServer> =>
    spawnServer({ binary, files: serverFiles(folder), namespace: 'default', ports });

  let server = await waitingFor('servers', start);
  const kill = async (): Promise<void> => {
    if (!isProcessAlive(server.pid)) return;
    process.kill(server.pid, 'SIGKILL');
    while (isProcessAlive(server.pid)) await sleep(10);
  };
  return {
    address: server.address,
    uiUrl: server.uiUrl,
    kill,
    restart: async () => {
      await kill();
      // The address is in the hands of clients and workers: it is waited for, not changed.
      while (!(await arePortsFree(ports))) await sleep(20);
      server = await waitingFor('servers', start);
    },
    stop: async () => {
      // Its file goes with it, so there is nothing to shut down in good order.
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}
