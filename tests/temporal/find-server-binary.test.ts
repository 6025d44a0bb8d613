import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { downloadServerBinary } from '../../src/temporal/download-server-binary';
import { findServerBinary } from '../../src/temporal/find-server-binary';
import { ServerBinaryError } from '../../src/temporal/server-binary-error';

const goodServer = '#!/bin/sh\necho --sqlite-pragma --dynamic-config-value\n';
const oldServer = '#!/bin/sh\necho unknown command >&2\nexit 1\n';

let root: string;
let cacheDir: string;
let bin: string;
let httpServer: Server | null = null;

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

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
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

/** Stands in for Go: it "builds" by writing the program into GOBIN, slowly, and counts its runs. */
function writeGo(): void {
  writeProgram(
    join(bin, 'go'),
    `#!/bin/sh
echo "$@" >> "${root}/go-runs"
/bin/sleep 0.3
printf '${goodServer.replaceAll('\n', '\\n')}' > "$GOBIN/temporal"
/bin/chmod 755 "$GOBIN/temporal"
`,
  );
}

function search(downloadUrl: string): Parameters<typeof findServerBinary>[0] {
  return { searchPath: [bin], cacheDir, downloadUrl };
}

// Nothing listens on port 1.
const noDownloads = 'http://127.0.0.1:1';

test('a server on PATH comes before the cached one', async () => {
  const installed = writeProgram(join(bin, 'temporal'), goodServer);
  writeProgram(cachedFile(), goodServer);
  expect(await findServerBinary(search(noDownloads))).toEqual({ path: installed, from: 'PATH' });
});

test('a program on PATH that cannot do what is needed gives way to the cached one', async () => {
  writeProgram(join(bin, 'temporal'), oldServer);
  writeProgram(cachedFile(), goodServer);
  expect(await findServerBinary(search(noDownloads))).toEqual({ path: cachedFile(), from: 'cache' });
});

test('what is downloaded lands in the cache and is found there the next time', async () => {
  const { url, requests } = await serveArchiveOf(goodServer);
  expect(await findServerBinary(search(url))).toEqual({ path: cachedFile(), from: 'download' });
  expect(requests[0]).toMatch(/^\/cli\/v1\.5\.1\?arch=\w+&platform=\w+&format=tar\.gz$/);
  expect(readFileSync(cachedFile(), 'utf8')).toBe(goodServer);

  expect(await findServerBinary(search(noDownloads))).toEqual({ path: cachedFile(), from: 'cache' });
  expect(readdirSync(cacheDir)).toEqual(['temporal-cli-1.5.1']);
});

test('a downloaded program that does not run is not kept', async () => {
  const { url } = await serveArchiveOf(oldServer);
  await expect(findServerBinary(search(url))).rejects.toThrow('what came does not run here');
  expect(existsSync(cachedFile())).toBe(false);
});

test('without a download it is built with Go, and says so', async () => {
  writeGo();
  const messages: string[] = [];
  const report = (message: string): void => void messages.push(message);
  expect(await findServerBinary({ ...search(noDownloads), tell: report })).toEqual({
    path: cachedFile(),
    from: 'build',
  });
  expect(readFileSync(join(root, 'go-runs'), 'utf8')).toContain(
    'github.com/temporalio/cli/cmd/temporal@v1.5.1',
  );
  expect(messages.join('\n')).toMatch(/three to seven minutes/);
});

test('several that need it at once build it once', async () => {
  writeGo();
  const found = await Promise.all([1, 2, 3].map(() => findServerBinary(search(noDownloads))));
  expect(found.map(({ path }) => path)).toEqual([cachedFile(), cachedFile(), cachedFile()]);
  expect(found.map(({ from }) => from).sort()).toEqual(['build', 'cache', 'cache']);
  expect(readFileSync(join(root, 'go-runs'), 'utf8').trim().split('\n')).toHaveLength(1);
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

test('a download that falls silent is given up', async () => {
  const url = await serve(() => undefined);
  await expect(
    downloadServerBinary({ version: '1.5.1', folder: root, baseUrl: url, silenceMs: 100 }),
  ).rejects.toThrow('nothing arrived for 0.1 s');
});
