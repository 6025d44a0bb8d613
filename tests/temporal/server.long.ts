import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import * as net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig, type Config } from '../../src/config/config';
import { findServersOf, isProcessAlive } from '../../src/temporal/process-of-server';
import { ensureServer, findServer, stopServer } from '../../src/temporal/server';

describe('the server of a folder', () => {
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

  async function occupyUsualPort(): Promise<net.Server> {
    const occupant = net.createServer();
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

  test.each([
    ['garbage', '{"pid": "x'],
    ['a record of something else', '{"pid":1,"address":"127.0.0.1:1","uiUrl":"x","users":[]}'],
    ['nothing', null],
  ])('with %j in server.json the running server is found by its process', async (_name, content) => {
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

  test('stopServer stops the server whoever uses it, and says whether there was one', async () => {
    const server = await ensureServer(config);
    expect(await stopServer(config.dataDir)).toBe(true);
    expect(await serverPids()).toEqual([]);
    expect(await stopServer(config.dataDir)).toBe(false);
    expect(await findServer(config.dataDir)).toBeNull();
    await server.stop();
  });

  test('a configured address is used as it is, and never stopped', async () => {
    const own = await ensureServer(config);
    const elsewhere = join(cwd, 'elsewhere');
    const foreign = await ensureServer(
      loadConfig({ cwd: elsewhere, env: { TEMPORAL_ADDRESS: own.address } }),
    );
    expect(foreign).toMatchObject({ address: own.address, uiUrl: null, started: false });
    await foreign.stop();
    expect(existsSync(elsewhere)).toBe(false);
    expect(await findServer(config.dataDir)).not.toBeNull();
  });
});
