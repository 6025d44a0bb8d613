import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { closeToOthers, makePrivateFile } from '../../lib/files';
import { searchAttributeKeys } from '../../workflows/search-attributes';
import { ServerStartError } from '../app-errors';
import { type ServerFiles, stopProcess } from './server-record';

/** Temporal's own usual ports: the API's, and the Web UI's. */
export const usualPorts = [7233, 8233] as const;

const readyLimitMs = 60_000;

/** What the connections of a server that died still hold is free again in a moment. */
const portsLimitMs = 10_000;

/** A longer log is begun anew at the next start. */
const maxLogBytes = 5_000_000;

/**
 * With these a file-backed development server does 200 activities in 0.7 s instead of 8 s, and three `kill -9` lost
 * nothing of it.
 */
const fastSettings = [
  ...['journal_mode=WAL', 'synchronous=NORMAL'].flatMap((pragma) => ['--sqlite-pragma', pragma]),
  ...[
    'history.transferProcessorMaxPollRPS=5000',
    'history.timerProcessorMaxPollRPS=5000',
    'history.visibilityProcessorMaxPollRPS=5000',
    'system.enableActivityEagerExecution=true',
    // A history of 10,000 signals, which is the default, is larger and slower to end than a run's should be.
    'history.maximumSignalsPerExecution=2000',
    // Without it a run that goes on in a new history, or starts again under its id, waits until a second has passed.
    'history.workflowIdReuseMinimalInterval="0s"',
    // A deleted run is gone after this interval, by default after up to 30 s.
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

/** Starts the server on its file, in a process group of its own, and resolves when it answers requests. */
export async function spawnServer(options: {
  binary: string;
  files: ServerFiles;
  namespace: string;
  ports?: readonly [number, number];
  /** Whether others are taken where one of them is not free; else they are waited for. */
  mayMove?: boolean;
}): Promise<SpawnedServer> {
  const { binary, files, namespace, ports = usualPorts, mayMove = true } = options;
  const [port, uiPort] = mayMove ? await chooseFreePorts(ports) : await untilFree(ports, files.log);
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
  const fate: Fate = { ended: null };
  server.once('error', (error) => {
    fate.ended = `could not be run (${error.message})`;
  });
  server.once('exit', (code, signal) => {
    fate.ended = `ended at once (${code === null ? String(signal) : `code ${code}`})`;
  });
  // It is written down when it is ready: a process that leaves before would leave it to nobody.
  const takeAlong = (): void => {
    if (server.pid !== undefined && fate.ended === null) process.kill(-server.pid, 'SIGKILL');
  };
  process.once('exit', takeAlong);
  try {
    const address = `127.0.0.1:${port}`;
    await untilReady(fate, server.pid, { address, namespace, log: files.log, logStart });
    if (fate.ended !== null || server.pid === undefined) {
      // Somebody else's server took the port in the meantime, and answers there.
      throw new ServerStartError(fate.ended ?? 'has no process', files.log, lastLines(files.log, logStart));
    }
    // The server looks whether its database exists, so it cannot be made for it.
    for (const name of ['', '-wal', '-shm']) closeToOthers(`${files.database}${name}`);
    return { pid: server.pid, address, uiUrl: `http://127.0.0.1:${uiPort}` };
  } finally {
    process.off('exit', takeAlong);
  }
}

/** What has become of the program: null while it runs. */
interface Fate {
  ended: string | null;
}

async function untilReady(
  fate: Fate,
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

async function untilFree(ports: readonly [number, number], log: string): Promise<readonly [number, number]> {
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
    // Last, so that it is found in a list of processes even where it has spaces.
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

/**
 * Two loopback ports that nobody listens on, from below the range that systems give to outgoing connections: one from
 * that range could be taken by any of these while a server restarts.
 */
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

/**
 * Whether a Temporal server answers a real request at the address, and has the namespace where one is given. Never
 * throws.
 */
export async function serverAnswers(
  address: string,
  options: { namespace?: string; timeoutMs?: number } = {},
): Promise<boolean> {
  const { namespace, timeoutMs = 2_000 } = options;
  // A refused connection is known at once; gRPC would try again until its deadline.
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
