import { accessSync, constants, existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import { errorMessage } from '../../lib/errors';
import { makePrivateFolder, PRIVATE_FILE } from '../../lib/files';
import { searchAttributeKeys } from '../../workflows/search-attributes';
import { NoServerError, ServerGoneError, ServerStartError } from '../app-errors';
import type { Config } from '../config';
import { findServerBinary, withExclusiveLock } from './server-binary';
import {
  findServersOf,
  flagValue,
  isProcessAlive,
  readServerPorts,
  readServerRecord,
  removeServerRecord,
  type RunningProcess,
  serverFiles,
  type ServerFiles,
  type ServerRecord,
  stopProcess,
  writeServerPorts,
  writeServerRecord,
} from './server-record';
import { findFreePorts, serverAnswers, type SpawnedServer, spawnServer, usualPorts } from './spawn-server';
import { connectClient, type ServerTarget } from './temporal-connection';

type ServerConfig = Pick<Config, 'temporal' | 'dataDir' | 'cacheDir' | 'searchPath'>;

/** Throws `UnreachableServerError`, `ServerBinaryError` or `ServerStartError`. */
export async function ensureServer(
  config: ServerConfig,
  options: { tell?: (message: string) => void } = {},
): Promise<RunningServer> {
  const { address, namespace } = config.temporal;
  if (address !== null) return externalServer({ ...config.temporal, address });

  const files = await prepareFiles(config.dataDir);
  if (!isWritable(files.record)) return openReadOnlyServer(config, files, options);
  let binary: string | null = null;
  const startAgain = async (given: { address: string; uiUrl: string }): Promise<FolderServer> => {
    binary ??= (await findServerBinary({ ...config, ...options })).path;
    return startServer({ binary, files, namespace, ports: portsOf(given), mayMove: false });
  };
  const attached = await withServerLock(files, () => attach(files));
  if (attached !== null) return useFolderServer(attached, files, startAgain);
  // Outside the lock, because a download or build takes minutes and other processes wait for the lock.
  const { path } = await findServerBinary({ ...config, ...options });
  binary = path;
  const server = await withServerLock(files, async () => {
    const ports = (await readServerPorts(files.ports)) ?? usualPorts;
    return (
      (await attach(files)) ?? (await startServer({ binary: path, files, namespace, ports, mayMove: true }))
    );
  });
  return useFolderServer(server, files, startAgain);
}

/** Stops the server even if others use it. Returns false if none ran. */
export async function stopServer(dataDir: string): Promise<boolean> {
  const files = await prepareFiles(dataDir);
  return withServerLock(files, async () => {
    const running = await runningServers(files);
    await Promise.all(running.map(({ pid }) => stopProcess(pid)));
    await removeServerRecord(files.record);
    return running.length > 0;
  });
}

export async function findServer(dataDir: string): Promise<{ address: string; uiUrl: string } | null> {
  const files = await prepareFiles(dataDir);
  for (const { address, uiUrl } of await runningServers(files)) {
    if (await serverAnswers(address)) return { address, uiUrl };
  }
  return null;
}

/** Uses the running server without a user entry, else a temporary one on a copy of the database. */
async function openReadOnlyServer(
  config: ServerConfig,
  files: ServerFiles,
  options: { tell?: (message: string) => void },
): Promise<RunningServer> {
  const running = await findServer(config.dataDir);
  if (running !== null) {
    const server = await externalServer({ ...config.temporal, address: running.address });
    return { ...server, uiUrl: running.uiUrl };
  }
  if (!existsSync(files.database))
    throw new NoServerError(
      `No Temporal server runs for ${config.dataDir}, and none can be started there: this user may only read that folder.`,
    );
  const copy = await mkdtemp(join(tmpdir(), 'colligate-to-read-'));
  const remove = (): Promise<void> => rm(copy, { recursive: true, force: true });
  try {
    for (const file of await readdir(dirname(files.database)))
      if (file.startsWith(basename(files.database)))
        await writeFile(join(copy, file), await readFile(join(dirname(files.database), file)));
    const server = await ensureServer({ ...config, dataDir: copy }, options);
    return { ...server, stop: () => server.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

function isWritable(file: string): boolean {
  try {
    accessSync(dirname(file), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function prepareFiles(dataDir: string): Promise<ServerFiles> {
  makePrivateFolder(dataDir);
  return serverFiles(await realpath(dataDir));
}

/** `gone`: the process of the folder's own server has ended. */
export type ServerStatus = 'answers' | 'silent' | 'gone';

/** `uiUrl` is null for an external server. `started` is true if this call started it. */
export interface RunningServer {
  address: string;
  uiUrl: string | null;
  started: boolean;
  wasLeft: boolean;
  /** Never rejects. */
  look(): Promise<ServerStatus>;
  /** With `mayStart` it starts a replacement on the same file and ports. Returns false if there is no server. */
  renew(options: { mayStart: boolean }): Promise<boolean>;
  stop(): Promise<void>;
}

async function externalServer(target: ServerTarget): Promise<RunningServer> {
  const ask = async (): Promise<void> => {
    const { connection } = await connectClient(target);
    await connection.close();
  };
  await ask();
  const look = (): Promise<ServerStatus> =>
    ask().then(
      () => 'answers' as const,
      () => 'silent' as const,
    );
  return {
    address: target.address,
    uiUrl: null,
    started: false,
    wasLeft: false,
    look,
    renew: async () => (await look()) === 'answers',
    stop: () => Promise.resolve(),
  };
}

function useFolderServer(
  found: FolderServer,
  files: ServerFiles,
  start: (given: Pick<FolderServer, 'address' | 'uiUrl'>) => Promise<FolderServer>,
): RunningServer {
  const { address, uiUrl, started, wasLeft } = found;
  let current = found;
  let left = false;
  return {
    address,
    uiUrl,
    started,
    wasLeft,
    async look() {
      if (!isProcessAlive(current.pid)) return 'gone';
      return (await serverAnswers(address)) ? 'answers' : 'silent';
    },
    async renew({ mayStart }) {
      if (!mayStart && !(await serverAnswers(address))) return false;
      return withServerLock(files, async () => {
        if (left) return false;
        const next = (await attach(files)) ?? (mayStart ? await start({ address, uiUrl }) : null);
        if (next === null) return false;
        current = next;
        if (next.address !== address)
          throw new ServerGoneError(address, { why: `one runs on its file at ${next.address} instead` });
        return true;
      });
    },
    stop: async () => {
      if (left) return;
      left = true;
      await withServerLock(files, () => releaseServer(current, files));
    },
  };
}

/** `wasLeft` is true if killed commands left the server running. */
interface FolderServer extends SpawnedServer {
  started: boolean;
  wasLeft: boolean;
}

const lockWaitMs = 120_000;

function withServerLock<Result>(files: ServerFiles, work: () => Promise<Result>): Promise<Result> {
  return withExclusiveLock(files.record, { waitMs: lockWaitMs }, work);
}

function portsOf({ address, uiUrl }: Pick<ServerRecord, 'address' | 'uiUrl'>): [number, number] {
  return [Number(new URL(`http://${address}`).port), Number(new URL(uiUrl).port)];
}

/** Joins the running server, even without a record, and stops servers that do not answer. */
async function attach(files: ServerFiles): Promise<FolderServer | null> {
  const record = await readServerRecord(files.record);
  let joined: SpawnedServer | null = null;
  for (const server of await runningServers(files)) {
    if (joined?.address === server.address) continue;
    if (joined === null && (await serverAnswers(server.address, { timeoutMs: 10_000 }))) joined = server;
    else await stopProcess(server.pid);
  }
  if (joined === null) {
    // Users of a dead server wait at its ports, so the record that reserves them stays.
    if (record === null || record.users.length === 0) await removeServerRecord(files.record);
    return null;
  }
  const users = usersOf(record, joined);
  await writeServerRecord(files.record, { ...joined, users: [...users, process.pid] });
  return { ...joined, started: false, wasLeft: users.length === 0 };
}

/** Uses the process list if the system has one, else the record. */
async function runningServers(files: ServerFiles): Promise<SpawnedServer[]> {
  const processes = await findServersOf(files.database);
  if (processes !== null) return processes.flatMap(parseServerProcess);
  const record = await readServerRecord(files.record);
  return record !== null && isProcessAlive(record.pid) ? [record] : [];
}

function parseServerProcess({ pid, args }: RunningProcess): SpawnedServer[] {
  const port = flagValue(args, '--port');
  const uiPort = flagValue(args, '--ui-port');
  return port === null || uiPort === null
    ? []
    : [{ pid, address: `127.0.0.1:${port}`, uiUrl: `http://127.0.0.1:${uiPort}` }];
}

function usersOf(record: ServerRecord | null, server: SpawnedServer): number[] {
  return record?.pid === server.pid ? record.users : [];
}

/** Starts one server at a time per user, because a chosen port stays free until the server listens. */
async function startServer(options: {
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
        const elsewhere = options.mayMove && (await arePortsReserved(options.ports, files.record));
        const ports = elsewhere ? await findFreePorts() : options.ports;
        const spawned = await spawnServer({ ...options, ports });
        await reservePorts(portsOf(spawned), files.record);
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

async function releaseServer(server: SpawnedServer, files: ServerFiles): Promise<void> {
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
  // The record may already describe a replacement.
  if (record === null || record.pid === server.pid) await removeServerRecord(files.record);
}

const reservationFolder = (): string => join(tmpdir(), `colligate-port-holders-${userInfo().uid}`);

/**
 * Reserves the ports of a server even after it dies. Workers and clients wait at its address, and would otherwise
 * work on the runs of another server.
 */
async function reservePorts(ports: readonly number[], record: string): Promise<void> {
  makePrivateFolder(reservationFolder());
  await Promise.all(
    ports.map((port) => writeFile(join(reservationFolder(), String(port)), record, { mode: PRIVATE_FILE })),
  );
}

async function arePortsReserved(ports: readonly number[], record: string): Promise<boolean> {
  const held = await Promise.all(ports.map((port) => isPortReserved(port, record)));
  return held.includes(true);
}

async function isPortReserved(port: number, record: string): Promise<boolean> {
  const holder = await readFile(join(reservationFolder(), String(port)), 'utf8').catch(() => null);
  if (holder === null || holder === record) return false;
  const server = await readServerRecord(holder);
  return (
    server !== null &&
    server.users.length > 0 &&
    [server.address, server.uiUrl].some((address) => address.endsWith(`:${port}`))
  );
}

/** `reason` is null if the attributes are available. */
export type SearchAttributeRegistration =
  { available: true; reason: null } | { available: false; reason: string };

/** Registers missing search attributes. Never throws, because runs work without them. */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  options: { timeoutMs?: number } = {},
): Promise<SearchAttributeRegistration> {
  const deadline = Date.now() + (options.timeoutMs ?? 10_000);
  try {
    const known = await connection.withDeadline(deadline, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
    const wanted = searchAttributeKeys.map(({ name, type }) => ({
      name,
      type: encodeSearchAttributeIndexedValueType(type),
      knownType: known.customAttributes[name],
    }));
    const clash = wanted.find(({ type, knownType }) => knownType !== undefined && knownType !== type);
    if (clash !== undefined) {
      return { available: false, reason: `the server knows ${clash.name} as an attribute of another type` };
    }
    const missing = wanted.filter(({ knownType }) => knownType === undefined);
    if (missing.length === 0) return { available: true, reason: null };

    await connection.withDeadline(deadline, () =>
      connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, type ?? 0])),
      }),
    );
    return await waitUntilUsable(
      connection,
      namespace,
      missing.map(({ name }) => name),
      deadline,
    );
  } catch (error) {
    return { available: false, reason: `they could not be registered: ${errorMessage(error)}` };
  }
}

/** Waits until the server's caches know the new attributes, because earlier starts are rejected. */
async function waitUntilUsable(
  connection: Connection,
  namespace: string,
  names: string[],
  deadline: number,
): Promise<SearchAttributeRegistration> {
  const query = names.map((name) => `${name} IS NOT NULL`).join(' OR ');
  for (;;) {
    try {
      await connection.withDeadline(deadline, () =>
        connection.workflowService.countWorkflowExecutions({ namespace, query }),
      );
      return { available: true, reason: null };
    } catch (error) {
      if (Date.now() + 100 > deadline) {
        return { available: false, reason: `the server does not accept them yet: ${errorMessage(error)}` };
      }
      await sleep(100);
    }
  }
}
