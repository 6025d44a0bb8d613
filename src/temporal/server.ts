import { realpath } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config';
import { makePrivateFolder } from '../private-files';
import { connectClient } from './connect';
import { withExclusiveLock } from './exclusive-lock';
import { findServerBinary } from './find-server-binary';
import { findServersOf, flagValue, isProcessAlive, type RunningProcess } from './process-of-server';
import { serverAnswers } from './server-probe';
import {
  readServerRecord,
  removeServerRecord,
  serverFiles,
  writeServerRecord,
  type ServerFiles,
  type ServerRecord,
} from './server-record';
import { ServerStartError } from './server-start-error';
import { spawnServer, usualPorts, type SpawnedServer } from './spawn-server';
import { stopProcess } from './stop-process';

/** `uiUrl` is null where the server is somebody else's; `started` says whether this call started it. */
export interface RunningServer {
  address: string;
  uiUrl: string | null;
  started: boolean;
  /** Ends this use. The last user's leaving stops the server, unless it is somebody else's. */
  stop(): Promise<void>;
}

type ServerConfig = Pick<Config, 'temporal' | 'dataDir' | 'cacheDir' | 'searchPath'>;

const lockWaitMs = 120_000;

/**
 * The server to work with: the configured one, else the one that runs on the data directory's file, else a new one on
 * that file. Throws `UnreachableServerError`, `ServerBinaryError` or `ServerStartError`.
 */
export async function ensureServer(
  config: ServerConfig,
  options: { report?: (message: string) => void } = {},
): Promise<RunningServer> {
  const { address } = config.temporal;
  if (address !== null) {
    const { connection } = await connectClient({ ...config.temporal, address });
    await connection.close();
    return { address, uiUrl: null, started: false, stop: () => Promise.resolve() };
  }

  const files = await prepareFiles(config.dataDir);
  // Only a crash leaves a record behind. Who still waits for that server waits at its address.
  const crashed = await readServerRecord(files.record);
  const attached = await locked(files, () => attach(files));
  if (attached !== null) return attached;
  // Getting the program can take minutes: not under the lock, which others wait for.
  const { path: binary } = await findServerBinary({ ...config, ...options });
  return locked(files, async () => {
    const meanwhile = await attach(files);
    if (meanwhile !== null) return meanwhile;
    const ports = crashed === null ? usualPorts : portsOf(crashed);
    const server = await spawnOnFreePorts(binary, files, config.temporal.namespace, ports);
    await writeServerRecord(files.record, { ...server, users: [process.pid] });
    return use(server, files, true);
  });
}

/** Stops the data directory's server, whoever uses it. False where none ran. */
export async function stopServer(dataDir: string): Promise<boolean> {
  const files = await prepareFiles(dataDir);
  return locked(files, async () => {
    const running = await runningServers(files);
    await Promise.all(running.map(({ pid }) => stopProcess(pid)));
    await removeServerRecord(files.record);
    return running.length > 0;
  });
}

/** The data directory's server where one runs and answers; starts and changes nothing. */
export async function findServer(dataDir: string): Promise<{ address: string; uiUrl: string } | null> {
  const files = await prepareFiles(dataDir);
  for (const { address, uiUrl } of await runningServers(files)) {
    if (await serverAnswers(address)) return { address, uiUrl };
  }
  return null;
}

async function prepareFiles(dataDir: string): Promise<ServerFiles> {
  makePrivateFolder(dataDir);
  // One directory under two names must not get two servers.
  return serverFiles(await realpath(dataDir));
}

function locked<Result>(files: ServerFiles, work: () => Promise<Result>): Promise<Result> {
  return withExclusiveLock(files.record, { waitMs: lockWaitMs }, work);
}

/** Joins the server that runs on the file, also one that nobody wrote down; ends those that do not answer. */
async function attach(files: ServerFiles): Promise<RunningServer | null> {
  const record = await readServerRecord(files.record);
  let joined: SpawnedServer | null = null;
  for (const server of await runningServers(files)) {
    if (joined?.address === server.address) continue;
    if (joined === null && (await serverAnswers(server.address, { timeoutMs: 10_000 }))) joined = server;
    else await stopProcess(server.pid);
  }
  if (joined === null) {
    await removeServerRecord(files.record);
    return null;
  }
  await writeServerRecord(files.record, { ...joined, users: [...usersOf(record, joined), process.pid] });
  return use(joined, files, false);
}

/** The processes decide where they can be listed; elsewhere the record does. */
async function runningServers(files: ServerFiles): Promise<SpawnedServer[]> {
  const processes = await findServersOf(files.database);
  if (processes !== null) return processes.flatMap(locate);
  const record = await readServerRecord(files.record);
  return record !== null && isProcessAlive(record.pid) ? [record] : [];
}

function locate({ pid, args }: RunningProcess): SpawnedServer[] {
  const port = flagValue(args, '--port');
  const uiPort = flagValue(args, '--ui-port');
  return port === null || uiPort === null
    ? []
    : [{ pid, address: `127.0.0.1:${port}`, uiUrl: `http://127.0.0.1:${uiPort}` }];
}

function portsOf({ address, uiUrl }: ServerRecord): readonly [number, number] {
  return [Number(new URL(`http://${address}`).port), Number(new URL(uiUrl).port)];
}

function usersOf(record: ServerRecord | null, server: SpawnedServer): number[] {
  return record?.pid === server.pid ? record.users : [];
}

/**
 * One start at a time for a user, because a port is free until the server listens on it: two that chose the same port
 * would both see the same server answer. Against other users there are further attempts.
 */
async function spawnOnFreePorts(
  binary: string,
  files: ServerFiles,
  namespace: string,
  ports: readonly [number, number],
): Promise<SpawnedServer> {
  const turn = join(tmpdir(), `colligate-ports-${userInfo().uid}`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withExclusiveLock(turn, { waitMs: lockWaitMs }, () =>
        spawnServer({ binary, files, namespace, ports }),
      );
    } catch (error) {
      const taken =
        error instanceof ServerStartError &&
        error.lastLines.some((line) => /address already in use/i.test(line));
      if (!taken || attempt === 3) throw error;
    }
  }
}

function use(server: SpawnedServer, files: ServerFiles, started: boolean): RunningServer {
  let left = false;
  return {
    address: server.address,
    uiUrl: server.uiUrl,
    started,
    stop: async () => {
      if (left) return;
      left = true;
      await locked(files, () => leave(server, files));
    },
  };
}

async function leave(server: SpawnedServer, files: ServerFiles): Promise<void> {
  const record = await readServerRecord(files.record);
  const users = usersOf(record, server);
  const self = users.indexOf(process.pid);
  const others = self === -1 ? users : users.toSpliced(self, 1);
  if (others.length > 0) {
    await writeServerRecord(files.record, { ...server, users: others });
    return;
  }
  const running = await runningServers(files);
  if (running.some(({ pid }) => pid === server.pid)) await stopProcess(server.pid);
  // A server that replaced this one in the meantime keeps its record.
  if (record === null || record.pid === server.pid) await removeServerRecord(files.record);
}
