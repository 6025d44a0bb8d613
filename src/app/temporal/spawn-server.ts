import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { makePrivateFile, restrictToOwner } from '../../lib/files';
import { searchAttributeKeys } from '../../workflows/search-attributes';
import { ServerStartError } from '../app-errors';
import { type ServerFiles, stopProcess } from './server-record';

export const usualPorts = [7233, 8233] as const;

const readyLimitMs = 60_000;

const portsLimitMs = 10_000;

const maxLogBytes = 5_000_000;

/** Measured: 200 activities take 0.7 s instead of 8 s, and three `kill -9` lost no data. */
const fastSettings = [
  ...['journal_mode=WAL', 'synchronous=NORMAL'].flatMap((pragma) => ['--sqlite-pragma', pragma]),
  ...[
    'history.transferProcessorMaxPollRPS=5000',
    'history.timerProcessorMaxPollRPS=5000',
    'history.visibilityProcessorMaxPollRPS=5000',
    'system.enableActivityEagerExecution=true',
    // The default of 10,000 signals makes histories large and slow to close.
    'history.maximumSignalsPerExecution=2000',
    // By default continue-as-new and a restart under the same id wait for 1 s.
    'history.workflowIdReuseMinimalInterval="0s"',
    // Delay until a deleted run disappears. The default is up to 30 s.
    'history.transferProcessorUpdateAckInterval="1s"',
    'history.visibilityProcessorUpdateAckInterval="1s"',
  ].flatMap((value) => ['--dynamic-config-value', value]),
];

const attributeTypes = { KEYWORD: 'Keyword', INT: 'Int', DOUBLE: 'Double' } as const;

export interface SpawnedServer {
  pid: number;
  address: string;
  uiUrl: string;
}

/** Starts the server in its own process group and resolves when it answers. */
export async function spawnServer(options: {
  binary: string;
  files: ServerFiles;
  namespace: string;
  ports?: readonly [number, number];
  /** True if other ports may be used; else it waits until these are free. */
  mayMove?: boolean;
}): Promise<SpawnedServer> {
  const { binary, files, namespace, ports = usualPorts, mayMove = true } = options;
  const [port, uiPort] = mayMove ? await chooseFreePorts(ports) : await waitUntilFree(ports, files.log);
  const logSize = statSync(files.log, { throwIfNoEntry: false })?.size ?? 0;
  const logStart = logSize > maxLogBytes ? 0 : logSize;
  makePrivateFile(files.log);
  const log = openSync(files.log, logStart === 0 ? 'w' : 'a');
  const server = spawn(binary, serverArguments({ port, uiPort, namespace, database: files.database }), {
    cwd: dirname(files.database),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  server.unref();
  const fate: ProcessState = { ended: null };
  server.once('error', (error) => {
    fate.ended = `could not be run (${error.message})`;
  });
  server.once('exit', (code, signal) => {
    fate.ended = `ended at once (${code === null ? String(signal) : `code ${code}`})`;
  });
  // Until the record is written, only this process can stop the server.
  const takeAlong = (): void => {
    if (server.pid !== undefined && fate.ended === null) process.kill(-server.pid, 'SIGKILL');
  };
  process.once('exit', takeAlong);
  try {
    const address = `127.0.0.1:${port}`;
    await waitUntilReady(fate, server.pid, { address, namespace, log: files.log, logStart });
    if (fate.ended !== null || server.pid === undefined) {
      throw new ServerStartError(fate.ended ?? 'has no process', files.log, lastLines(files.log, logStart));
    }
    // The file cannot be created in advance, because the server checks for an existing database.
    for (const name of ['', '-wal', '-shm']) restrictToOwner(`${files.database}${name}`);
    return { pid: server.pid, address, uiUrl: `http://127.0.0.1:${uiPort}` };
  } finally {
    process.off('exit', takeAlong);
  }
}

interface ProcessState {
  ended: string | null;
}

async function waitUntilReady(
  fate: ProcessState,
  pid: number | undefined,
  given: { address: string; namespace: string; log: string; logStart: number },
): Promise<void> {
  const { address, namespace, log, logStart } = given;
  const deadline = Date.now() + readyLimitMs;
  while (!(await serverAnswers(address, { namespace }))) {
    if (fate.ended !== null) throw new ServerStartError(fate.ended, log, lastLines(log, logStart));
    if (Date.now() > deadline) {
      if (pid !== undefined) await stopProcess(pid);
      throw new ServerStartError(
        `was not ready after ${readyLimitMs / 1_000} s`,
        log,
        lastLines(log, logStart),
      );
    }
    await sleep(25);
  }
}

async function waitUntilFree(
  ports: readonly [number, number],
  log: string,
): Promise<readonly [number, number]> {
  const deadline = Date.now() + portsLimitMs;
  while (!(await arePortsFree(ports))) {
    if (Date.now() > deadline)
      throw new ServerStartError(`cannot start: port ${ports.join(' or ')} is taken`, log, []);
    await sleep(50);
  }
  return ports;
}

function serverArguments(options: {
  port: number;
  uiPort: number;
  namespace: string;
  database: string;
}): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--log-level', 'warn'],
    ...[
      '--port',
      String(options.port),
      '--ui-port',
      String(options.uiPort),
      '--namespace',
      options.namespace,
    ],
    ...fastSettings,
    ...searchAttributeKeys.flatMap(({ name, type }) => [
      '--search-attribute',
      `${name}=${attributeTypes[type]}`,
    ]),
    ...['--db-filename', options.database],
  ];
}

function lastLines(file: string, from: number): string[] {
  const text = readFileSync(file).subarray(from).toString('utf8').trim();
  return text === '' ? [] : text.split('\n').slice(-10);
}

async function chooseFreePorts(preferred: readonly [number, number]): Promise<readonly [number, number]> {
  return (await arePortsFree(preferred)) ? preferred : findFreePorts();
}

/** Two free loopback ports below the ephemeral range, where an outgoing connection could take them during a restart. */
export async function findFreePorts(): Promise<readonly [number, number]> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const ports = [first, first + 1] as const;
    if (await arePortsFree(ports)) return ports;
  }
}

export async function arePortsFree(ports: readonly number[]): Promise<boolean> {
  const results = await Promise.allSettled(ports.map(listen));
  await Promise.all(
    results.flatMap((result) => (result.status === 'fulfilled' ? [close(result.value)] : [])),
  );
  return results.every((result) => result.status === 'fulfilled');
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}

/** True if a Temporal server answers and has the namespace. Never throws. */
export async function serverAnswers(
  address: string,
  options: { namespace?: string; timeoutMs?: number } = {},
): Promise<boolean> {
  const { namespace, timeoutMs = 2_000 } = options;
  // A TCP check fails at once, while gRPC retries until its deadline.
  if (!(await accepts(address, timeoutMs))) return false;
  let connection: Connection;
  try {
    connection = await Connection.connect({ address, connectTimeout: timeoutMs });
  } catch {
    return false;
  }
  try {
    if (namespace !== undefined) {
      await connection.withDeadline(Date.now() + timeoutMs, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
    }
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

function accepts(address: string, timeoutMs: number): Promise<boolean> {
  const separator = address.lastIndexOf(':');
  return new Promise((resolve) => {
    const socket = connect({ host: address.slice(0, separator), port: Number(address.slice(separator + 1)) });
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => {
      finish(false);
    });
    socket.once('connect', () => {
      finish(true);
    });
    socket.once('error', () => {
      finish(false);
    });
  });
}
