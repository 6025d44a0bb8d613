import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { withExclusiveLock } from './exclusive-lock';
import { findFreePorts } from './free-ports';
import { findServersOf, flagValue, isProcessAlive, type RunningProcess } from './process-of-server';
import { serverAnswers } from './server-probe';
import {
  readServerRecord,
  removeServerRecord,
  writeServerPorts,
  writeServerRecord,
  type ServerFiles,
  type ServerRecord,
} from './server-record';
import { ServerStartError } from './server-start-error';
import { spawnServer, type SpawnedServer } from './spawn-server';
import { stopProcess } from './stop-process';
import { readFile, writeFile } from 'node:fs/promises';
import { makePrivateFolder, PRIVATE_FILE } from '../platform/private-files';

/** The server on a folder's file; `wasLeft` where commands that were killed had left it running. */
export interface FolderServer extends SpawnedServer {
  started: boolean;
  wasLeft: boolean;
}

const lockWaitMs = 120_000;

/** What is done to a folder's server is done by one process at a time. */
export function locked<Result>(files: ServerFiles, work: () => Promise<Result>): Promise<Result> {
  return withExclusiveLock(files.record, { waitMs: lockWaitMs }, work);
}

/** The API's and the Web UI's port. */
export function portsOf({ address, uiUrl }: Pick<ServerRecord, 'address' | 'uiUrl'>): [number, number] {
  return [Number(new URL(`http://${address}`).port), Number(new URL(uiUrl).port)];
}

/** Joins the server that runs on the file, also one that nobody wrote down; ends those that do not answer. */
export async function attach(files: ServerFiles): Promise<FolderServer | null> {
  const record = await readServerRecord(files.record);
  let joined: SpawnedServer | null = null;
  for (const server of await runningServers(files)) {
    if (joined?.address === server.address) continue;
    if (joined === null && (await serverAnswers(server.address, { timeoutMs: 10_000 }))) joined = server;
    else await stopProcess(server.pid);
  }
  if (joined === null) {
    // The users of one that died wait at its ports, which stay theirs.
    if (record === null || record.users.length === 0) await removeServerRecord(files.record);
    return null;
  }
  const users = usersOf(record, joined);
  await writeServerRecord(files.record, { ...joined, users: [...users, process.pid] });
  return { ...joined, started: false, wasLeft: users.length === 0 };
}

/** The processes decide where they can be listed; elsewhere the record does. */
export async function runningServers(files: ServerFiles): Promise<SpawnedServer[]> {
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

function usersOf(record: ServerRecord | null, server: SpawnedServer): number[] {
  return record?.pid === server.pid ? record.users : [];
}

/**
 * One start at a time for a user, because a port is free until the server listens on it: two that chose the same port
 * would both see the same server answer. Against other users there are further attempts.
 */
export async function startAt(options: {
  binary: string;
  files: ServerFiles;
  namespace: string;
  ports: readonly [number, number];
  mayMove: boolean;
}): Promise<FolderServer> {
  const { files } = options;
  const turn = join(tmpdir(), `colligate-ports-${userInfo().uid}`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const server = await withExclusiveLock(turn, { waitMs: lockWaitMs }, async () => {
        const elsewhere = options.mayMove && (await areHeldByOthers(options.ports, files.record));
        const ports = elsewhere ? await findFreePorts() : options.ports;
        const spawned = await spawnServer({ ...options, ports });
        await holdPorts(portsOf(spawned), files.record);
        return spawned;
      });
      await writeServerRecord(files.record, { ...server, users: [process.pid] });
      await writeServerPorts(files.ports, portsOf(server));
      return { ...server, started: true, wasLeft: false };
    } catch (error) {
      const taken =
        error instanceof ServerStartError &&
        error.lastLines.some((line) => /address already in use/i.test(line));
      if (!taken || attempt === 3) throw error;
    }
  }
}

/** Ends one use of this process; the last one stops the server. */
export async function leave(server: SpawnedServer, files: ServerFiles): Promise<void> {
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

/** Names, for each port, the record of the folder's server that was last started there. */
const holders = (): string => join(tmpdir(), `colligate-port-holders-${userInfo().uid}`);

/**
 * Writes down that the server of `record` is at these ports. They stay its own while a process uses it, also after the
 * server itself has died: workers and clients wait at the address for its next start, and would work on the runs of
 * whichever server answered there instead.
 */
async function holdPorts(ports: readonly number[], record: string): Promise<void> {
  makePrivateFolder(holders());
  await Promise.all(
    ports.map((port) => writeFile(join(holders(), String(port)), record, { mode: PRIVATE_FILE })),
  );
}

/** Whether users of another folder's server, which runs or has died, are at one of the ports. */
async function areHeldByOthers(ports: readonly number[], record: string): Promise<boolean> {
  const held = await Promise.all(ports.map((port) => isHeldByAnother(port, record)));
  return held.includes(true);
}

async function isHeldByAnother(port: number, record: string): Promise<boolean> {
  const holder = await readFile(join(holders(), String(port)), 'utf8').catch(() => null);
  if (holder === null || holder === record) return false;
  const server = await readServerRecord(holder);
  return (
    server !== null &&
    server.users.length > 0 &&
    [server.address, server.uiUrl].some((address) => address.endsWith(`:${port}`))
  );
}
