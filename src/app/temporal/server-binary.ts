import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, createWriteStream, statSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';
import { z } from 'zod';
import { errorMessage } from '../../lib/errors';
import { makeFolder, makePrivateFolder } from '../../lib/files';
import { type BinaryAttempt, ServerBinaryError } from '../app-errors';
import { childEnvironment, type Config } from '../config';

/** The newest version that `go install` can build. Later ones replace a module, which `go install` rejects. */
export const serverVersion = '1.5.1';

const isWindows = process.platform === 'win32';

export interface ServerBinary {
  path: string;
  from: 'PATH' | 'cache' | 'download' | 'build';
}

export interface BinarySearch extends Pick<Config, 'searchPath' | 'cacheDir'> {
  tell?: (message: string) => void;
  downloadUrl?: string;
}

/** Looks on PATH and in the user's cache, then downloads, then builds with Go. Throws `ServerBinaryError` with all attempts. */
export async function findServerBinary(search: BinarySearch): Promise<ServerBinary> {
  const attempts: BinaryAttempt[] = [];
  const ready = await findReadyBinary(search, attempts);
  if (ready !== null) return ready;

  const cached = cachedBinaryPath(search.cacheDir);
  return withExclusiveLock(
    join(search.cacheDir, `temporal-cli-${serverVersion}`),
    { waitMs: 30 * 60_000 },
    async () => {
      if (await isDevServer(cached)) return { path: cached, from: 'cache' };
      return getBinary(search, attempts);
    },
  );
}

/** Looks only at PATH and the cache. Returns null if neither has a usable server. */
export async function findReadyBinary(
  search: Pick<BinarySearch, 'searchPath' | 'cacheDir'>,
  attempts: BinaryAttempt[] = [],
): Promise<ServerBinary | null> {
  const installed = findOnPath('temporal', search.searchPath);
  if (installed === null) attempts.push({ place: 'PATH', problem: 'there is no `temporal`' });
  else if (await isDevServer(installed)) return { path: installed, from: 'PATH' };
  else
    attempts.push({
      place: 'PATH',
      problem: `${installed} has no \`server start-dev\` with the options needed`,
    });

  const cached = cachedBinaryPath(search.cacheDir);
  if (!isExecutable(cached)) attempts.push({ place: 'cache', problem: `there is no ${cached}` });
  else if (await isDevServer(cached)) return { path: cached, from: 'cache' };
  else attempts.push({ place: 'cache', problem: `${cached} does not run here` });
  return null;
}

function cachedBinaryPath(cacheDir: string): string {
  return join(cacheDir, `temporal-cli-${serverVersion}`, isWindows ? 'temporal.exe' : 'temporal');
}

async function getBinary(search: BinarySearch, attempts: BinaryAttempt[]): Promise<ServerBinary> {
  const { tell = () => undefined } = search;
  try {
    tell(`Downloading the Temporal server ${serverVersion}.`);
    const path = await intoCache(search.cacheDir, (folder) =>
      downloadServerBinary({
        version: serverVersion,
        folder,
        ...(search.downloadUrl !== undefined && { baseUrl: search.downloadUrl }),
      }),
    );
    return { path, from: 'download' };
  } catch (error) {
    attempts.push({ place: 'download', problem: errorMessage(error) });
  }

  const go = findOnPath('go', search.searchPath);
  if (go === null) {
    attempts.push({ place: 'go install', problem: 'there is no `go` on PATH' });
    throw new ServerBinaryError(attempts);
  }
  try {
    const path = await intoCache(search.cacheDir, (folder) =>
      buildServerBinary({ version: serverVersion, folder, go, tell }),
    );
    return { path, from: 'build' };
  } catch (error) {
    attempts.push({ place: 'go install', problem: errorMessage(error) });
    throw new ServerBinaryError(attempts);
  }
}

/** Renames the binary into the cache, so that no process sees a partial file. */
async function intoCache(cacheDir: string, get: (folder: string) => Promise<string>): Promise<string> {
  const cached = cachedBinaryPath(cacheDir);
  const folder = await mkdtemp(join(cacheDir, 'getting-'));
  try {
    const got = await get(folder);
    await chmod(got, 0o755);
    if (!(await isDevServer(got))) throw new Error('what came does not run here');
    makeFolder(join(cached, '..'));
    await rename(got, cached);
    return cached;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function findOnPath(program: string, searchPath: readonly string[]): string | null {
  const names = isWindows ? [`${program}.exe`] : [program];
  const candidates = searchPath.flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

async function isDevServer(file: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(file, ['server', 'start-dev', '--help'], {
      timeout: 30_000,
    });
    return stdout.includes('--sqlite-pragma') && stdout.includes('--dynamic-config-value');
  } catch {
    return false;
  }
}

const buildLimitMs = 30 * 60_000;

/** Takes 3–7 minutes on 2 cores. `tell` gets progress every 30 s. */
async function buildServerBinary(options: {
  version: string;
  folder: string;
  go: string;
  tell: (message: string) => void;
}): Promise<string> {
  const { version, folder, go, tell } = options;
  const startedAt = Date.now();
  tell(
    `Building the Temporal server ${version} with Go; this takes three to seven minutes, once for this user.`,
  );
  const build = spawn(
    go,
    ['install', '-trimpath', '-ldflags=-s -w', `github.com/temporalio/cli/cmd/temporal@v${version}`],
    { env: childEnvironment({ GOBIN: folder }), stdio: ['ignore', 'ignore', 'pipe'], timeout: buildLimitMs },
  );
  let errors = '';
  build.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  const progress = setInterval(() => {
    tell(`Still building the Temporal server (${Math.round((Date.now() - startedAt) / 1_000)} s).`);
  }, 30_000);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      build.on('error', reject).on('close', resolve);
    });
    if (code !== 0)
      throw new Error(
        `go install ended with ${code ?? 'a signal'}: ${errors.trim().split('\n').slice(-3).join(' / ')}`,
      );
    tell(`Built the Temporal server in ${Math.round((Date.now() - startedAt) / 1_000)} s.`);
    return join(folder, process.platform === 'win32' ? 'temporal.exe' : 'temporal');
  } finally {
    clearInterval(progress);
  }
}

export const temporalDownloads = 'https://temporal.download';

const DownloadInfo = z.object({ archiveUrl: z.url(), fileToExtract: z.string().min(1) });

/** Fails only after `silenceMs` without data, so that slow connections succeed. */
async function downloadServerBinary(options: {
  version: string;
  folder: string;
  baseUrl?: string;
  silenceMs?: number;
}): Promise<string> {
  const { version, folder, baseUrl = temporalDownloads, silenceMs = 20_000 } = options;
  const silence = new AbortController();
  const giveUp = (): void => {
    silence.abort(new Error(`nothing arrived for ${silenceMs / 1_000} s`));
  };
  const timer = setTimeout(giveUp, silenceMs);
  try {
    const response = await fetchOk(
      `${baseUrl}/cli/v${version}?${platformQuery().toString()}`,
      silence.signal,
    );
    const info = DownloadInfo.parse(await response.json());
    const archive = join(folder, info.archiveUrl.endsWith('.zip') ? 'archive.zip' : 'archive.tar.gz');
    const { body } = await fetchOk(info.archiveUrl, silence.signal);
    if (body === null) throw new Error(`${info.archiveUrl} is empty`);
    await pipeline(
      Readable.fromWeb(body),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          timer.refresh();
          yield chunk;
        }
      },
      createWriteStream(archive),
      { signal: silence.signal },
    );
    clearTimeout(timer);
    // All systems that the SDK supports have `tar`. On Windows it extracts zip files as well.
    await promisify(execFile)('tar', ['-xf', archive, '-C', folder, info.fileToExtract]);
    return join(folder, info.fileToExtract);
  } catch (error) {
    throw silence.signal.aborted ? silence.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

async function fetchOk(url: string, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`${new URL(url).host} cannot be reached (${cause})`, { cause: error });
  }
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response;
}

function platformQuery(): URLSearchParams {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return new URLSearchParams({
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    platform,
    format: 'tar.gz',
  });
}

/** Waits up to `waitMs` for an inter-process lock. `file` need not exist. The lock of a killed process expires after 10 s. */
export async function withExclusiveLock<Result>(
  file: string,
  options: { waitMs: number },
  work: () => Promise<Result>,
): Promise<Result> {
  makePrivateFolder(dirname(file));
  const pauseMs = 100;
  const release = await lock(file, {
    realpath: false,
    stale: 10_000,
    retries: {
      retries: Math.ceil(options.waitMs / pauseMs),
      factor: 1,
      minTimeout: pauseMs,
      maxTimeout: pauseMs,
    },
    // A suspended machine may lose the lock. Continuing is safe, because the work under it checks the state again.
    onCompromised: () => undefined,
  });
  try {
    return await work();
  } finally {
    // Fails only if the lock was lost.
    await release().catch(() => undefined);
  }
}
