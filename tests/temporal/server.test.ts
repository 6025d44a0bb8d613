import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig, type Config } from '../../src/config/config';
import { connectClient } from '../../src/temporal/connect';
import { findServersOf, findServersUnder, isProcessAlive } from '../../src/temporal/process-of-server';
import { ensureServer, findServer, stopServer } from '../../src/temporal/server';
import { ServerStartError } from '../../src/temporal/server-start-error';
import { UnreachableServerError } from '../../src/temporal/unreachable-server-error';
import { openToOthers } from '../support/open-to-others';

let cwd: string;
let config: Config;
const children: ChildProcess[] = [];

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'colligate-server-')));
  config = loadConfig({ cwd });
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await stopServer(config.dataDir);
  rmSync(cwd, { recursive: true });
});

function recordFile(): string {
  return join(config.dataDir, 'server.json');
}

async function serverPids(): Promise<number[]> {
  const servers = await findServersOf(join(config.dataDir, 'temporal.db'));
  return (servers ?? []).map(({ pid }) => pid);
}

test('what a server keeps is for its owner alone', async () => {
  const server = await ensureServer(config);
  expect(existsSync(join(config.dataDir, 'temporal.db'))).toBe(true);
  expect(openToOthers(config.dataDir)).toEqual([]);
  await server.stop();
});

async function onlyPid(): Promise<number> {
  const [pid, ...others] = await serverPids();
  if (pid === undefined || others.length > 0) throw new Error('There is not exactly one server');
  return pid;
}

/** Another process that uses the same folder's server. */
async function holdServer(): Promise<{ process: ChildProcess; address: string; started: boolean }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'hold-server.ts'), cwd], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as { address: string; started: boolean };
    return { process: child, ...said };
  }
  throw new Error('The process ended without a server');
}

async function occupyUsualPort(): Promise<Server> {
  const occupant = createServer();
  await new Promise<void>((resolve) => {
    // Where it cannot be taken, somebody else has it, which serves as well.
    occupant.once('error', () => {
      resolve();
    });
    occupant.listen(8233, '127.0.0.1', resolve);
  });
  return occupant;
}

async function ended(child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) await sleep(20);
}

test('a second use attaches, the last one to leave stops the server, and its file keeps what was in it', async () => {
  const first = await ensureServer(config);
  const pid = await onlyPid();
  expect(await findServersUnder(cwd)).toMatchObject([{ pid }]);
  const second = await ensureServer(config);
  expect([first.started, second.started]).toEqual([true, false]);
  expect(second.address).toBe(first.address);
  expect(await findServer(config.dataDir)).toEqual({ address: first.address, uiUrl: first.uiUrl });

  const { connection, client } = await connectClient({ ...config.temporal, address: first.address });
  await client.workflow.start('kept', { workflowId: 'kept', taskQueue: 'nobody' });
  await connection.close();

  await first.stop();
  await first.stop();
  expect(isProcessAlive(pid)).toBe(true);
  await second.stop();
  expect(isProcessAlive(pid)).toBe(false);
  expect(existsSync(recordFile())).toBe(false);

  const third = await ensureServer(config);
  const again = await connectClient({ ...config.temporal, address: third.address });
  const description = await again.client.workflow.getHandle('kept').describe();
  expect(description.status.name).toBe('RUNNING');
  await again.connection.close();
  await third.stop();
});

test('processes that start at the same time share one server, which outlives the first to leave', async () => {
  const [one, other] = await Promise.all([holdServer(), holdServer()]);
  expect([one.started, other.started].sort()).toEqual([false, true]);
  expect(one.address).toBe(other.address);
  const pid = await onlyPid();

  const starter = one.started ? one : other;
  const guest = one.started ? other : one;
  starter.process.stdin?.end();
  await ended(starter.process);
  expect(isProcessAlive(pid)).toBe(true);
  guest.process.stdin?.end();
  await ended(guest.process);
  expect(isProcessAlive(pid)).toBe(false);
});

test('the server of a killed process is used on, and stopped by the one that used it last', async () => {
  const killed = await holdServer();
  const pid = await onlyPid();
  killed.process.kill('SIGKILL');
  await ended(killed.process);

  const server = await ensureServer(config);
  expect(server.started).toBe(false);
  expect(server.address).toBe(killed.address);
  await server.stop();
  expect(isProcessAlive(pid)).toBe(false);
});

test.each([
  ['garbage', '{"pid": "x'],
  ['a record of something else', '{"pid":1,"address":"127.0.0.1:1","uiUrl":"x","users":[]}'],
  ['nothing', null],
])('with %p in server.json the running server is found by its process', async (_name, content) => {
  const first = await ensureServer(config);
  if (content === null) rmSync(recordFile());
  else writeFileSync(recordFile(), content);
  const second = await ensureServer(config);
  expect(second.started).toBe(false);
  expect(second.address).toBe(first.address);
  expect(await serverPids()).toHaveLength(1);
});

test('a dead server leaves a record behind, and a new one starts at its address', async () => {
  const occupant = await occupyUsualPort();
  const dead = await ensureServer(config);
  await new Promise((resolve) => occupant.close(resolve));
  const pid = await onlyPid();
  process.kill(pid, 'SIGKILL');
  while (isProcessAlive(pid)) await sleep(10);
  expect(existsSync(recordFile())).toBe(true);

  const server = await ensureServer(config);
  expect(server).toMatchObject({ started: true, address: dead.address, uiUrl: dead.uiUrl });
  expect(await onlyPid()).not.toBe(pid);
});

test('the next server of a folder is where the last one was, though that was not at the usual ports', async () => {
  const occupant = await occupyUsualPort();
  const first = await ensureServer(config);
  await first.stop();
  await new Promise((resolve) => occupant.close(resolve));
  const next = await ensureServer(config);
  expect(next).toMatchObject({ started: true, address: first.address, uiUrl: first.uiUrl });
});

test('while a dead server has users, its ports are not given to the server of another folder', async () => {
  const occupant = await occupyUsualPort();
  const dead = await ensureServer(config);
  await new Promise((resolve) => occupant.close(resolve));
  const ports = readFileSync(join(config.dataDir, 'server-ports.json'), 'utf8');
  const pid = await onlyPid();
  process.kill(pid, 'SIGKILL');
  while (isProcessAlive(pid)) await sleep(10);

  const startWithItsPorts = async (folder: string): Promise<string> => {
    const dataDir = join(cwd, folder);
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'server-ports.json'), ports);
    const server = await ensureServer({ ...config, dataDir });
    await server.stop();
    return server.address;
  };
  expect(await startWithItsPorts('another')).not.toBe(dead.address);
  await dead.stop();
  expect(await startWithItsPorts('later')).toBe(dead.address);
});

test('a server on the file that does not answer is stopped and replaced', async () => {
  const database = join(config.dataDir, 'temporal.db');
  const deaf = spawn(process.execPath, [
    ...['-e', 'setInterval(() => {}, 1000)', '--', 'server', 'start-dev'],
    ...['--port', '1', '--ui-port', '2', '--db-filename', database],
  ]);
  children.push(deaf);
  while (!(await serverPids()).includes(deaf.pid ?? 0)) await sleep(10);

  const server = await ensureServer(config);
  expect(server.started).toBe(true);
  await ended(deaf);
  expect(await serverPids()).toHaveLength(1);
});

test('the ports move where the usual ones are taken', async () => {
  const occupant = await occupyUsualPort();
  const server = await ensureServer(config);
  expect(server.uiUrl).not.toBe('http://127.0.0.1:8233');
  expect((await fetch(server.uiUrl ?? '')).status).toBe(200);
  await new Promise((resolve) => occupant.close(resolve));
});

test('stopServer stops the server whoever uses it, and says whether there was one', async () => {
  const server = await ensureServer(config);
  expect(await stopServer(config.dataDir)).toBe(true);
  expect(await serverPids()).toEqual([]);
  expect(await stopServer(config.dataDir)).toBe(false);
  expect(await findServer(config.dataDir)).toBeNull();
  await server.stop();
});

test('a server that dies at once is an error with the end of its log', async () => {
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  const program =
    '#!/bin/sh\ncase "$*" in *--help*) echo --sqlite-pragma --dynamic-config-value;; *) echo disk on fire; exit 3;; esac\n';
  writeFileSync(join(bin, 'temporal'), program);
  chmodSync(join(bin, 'temporal'), 0o755);
  const error: unknown = await ensureServer({ ...config, searchPath: [bin] }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServerStartError);
  expect(String(error)).toMatch(/ended at once \(code 3\)[\s\S]*disk on fire/);
  expect(readFileSync(join(config.dataDir, 'server.log'), 'utf8')).toContain('disk on fire');
});

test('a configured address is used as it is, and never stopped', async () => {
  const own = await ensureServer(config);
  const elsewhere = join(cwd, 'elsewhere');
  const foreign = await ensureServer(loadConfig({ cwd: elsewhere, env: { TEMPORAL_ADDRESS: own.address } }));
  expect(foreign).toMatchObject({ address: own.address, uiUrl: null, started: false });
  await foreign.stop();
  expect(existsSync(elsewhere)).toBe(false);
  expect(await findServer(config.dataDir)).not.toBeNull();
});

test('an address where nothing answers is an error that says what to do', async () => {
  const error: unknown = await connectClient(
    { ...config.temporal, address: '127.0.0.1:1' },
    { timeoutMs: 500 },
  ).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnreachableServerError);
  expect(String(error)).toMatch(
    /No Temporal server answers at 127\.0\.0\.1:1 .*Start it, or set TEMPORAL_ADDRESS/,
  );
});
