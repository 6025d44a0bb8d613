import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import * as http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerBinaryError, ServerStartError, UnreachableServerError } from '../../../src/app/app-errors';
import { type Config, loadConfig } from '../../../src/app/config';
import { findServerBinary } from '../../../src/app/temporal/server-binary';
import { findServersOf, findServersUnder, isProcessAlive } from '../../../src/app/temporal/server-record';
import { connectClient } from '../../../src/app/temporal/temporal-connection';
import { ensureServer, findServer, stopServer } from '../../../src/app/temporal/temporal-server';
import { openToOthers } from '../../support/open-to-others';

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

  async function ended(child: ChildProcess): Promise<void> {
    while (child.exitCode === null && child.signalCode === null) await sleep(20);
  }

  test('a second use attaches, the last one to leave stops the server, and its file keeps what was in it', async () => {
    const first = await ensureServer(config);
    const pid = await onlyPid();
    expect(openToOthers(config.dataDir)).toEqual([]);
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
});

describe('findServerBinary', () => {
  const goodServer = '#!/bin/sh\necho --sqlite-pragma --dynamic-config-value\n';

  let root: string;

  let cacheDir: string;

  let bin: string;

  let httpServer: http.Server | null = null;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'colligate-binary-'));
    cacheDir = join(root, 'cache');
    bin = join(root, 'bin');
    mkdirSync(bin);
  });

  afterEach(async () => {
    const server = httpServer;
    if (server !== null) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    httpServer = null;
    rmSync(root, { recursive: true });
  });

  function writeProgram(file: string, text: string): string {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
    return file;
  }

  function cachedFile(): string {
    return join(cacheDir, 'temporal-cli-1.5.1', 'temporal');
  }

  async function serve(listener: http.RequestListener): Promise<string> {
    const server = http.createServer(listener);
    httpServer = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Answers as the download service does, with an archive that holds the program. */
  async function serveArchiveOf(program: string): Promise<{ url: string; requests: string[] }> {
    writeProgram(join(root, 'temporal'), program);
    execFileSync('tar', ['-czf', join(root, 'a.tar.gz'), '-C', root, 'temporal']);
    const archive = readFileSync(join(root, 'a.tar.gz'));
    const requests: string[] = [];
    const url = await serve((request, response) => {
      requests.push(request.url ?? '');
      if (request.url === '/archive.tar.gz') response.end(archive);
      else response.end(JSON.stringify({ archiveUrl: `${url}/archive.tar.gz`, fileToExtract: 'temporal' }));
    });
    return { url, requests };
  }

  function search(downloadUrl: string): Parameters<typeof findServerBinary>[0] {
    return { searchPath: [bin], cacheDir, downloadUrl };
  }

  // Nothing listens on port 1.
  const noDownloads = 'http://127.0.0.1:1';

  test('a downloaded server is stored in the cache and found there the next time', async () => {
    const { url, requests } = await serveArchiveOf(goodServer);
    expect(await findServerBinary(search(url))).toEqual({ path: cachedFile(), from: 'download' });
    expect(requests[0]).toMatch(/^\/cli\/v1\.5\.1\?arch=\w+&platform=\w+&format=tar\.gz$/);
    expect(readFileSync(cachedFile(), 'utf8')).toBe(goodServer);

    expect(await findServerBinary(search(noDownloads))).toEqual({ path: cachedFile(), from: 'cache' });
    expect(readdirSync(cacheDir)).toEqual(['temporal-cli-1.5.1']);
  });

  test('when all fails the error lists every attempt and what mends it', async () => {
    writeProgram(join(bin, 'go'), '#!/bin/sh\necho proxy.golang.org is away >&2\nexit 1\n');
    const error: unknown = await findServerBinary(search(noDownloads)).catch((reason: unknown) => reason);
    if (!(error instanceof ServerBinaryError)) throw new Error(`Not the expected error: ${String(error)}`);
    expect(error.attempts.map(({ place }) => place)).toEqual(['PATH', 'cache', 'download', 'go install']);
    expect(error.message).toContain('127.0.0.1:1 cannot be reached');
    expect(error.message).toContain('proxy.golang.org is away');
    expect(error.message).toContain('set TEMPORAL_ADDRESS=host:port');
  });
});
