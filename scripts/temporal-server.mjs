// The Temporal server as clusters run it, and its tool for tables, built from its module with Go, once for this user.
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { root } from './checkout.mjs';

const require = createRequire(import.meta.url);

export const TEMPORAL_VERSION = '1.29.1';
const MODULE = `go.temporal.io/server@v${TEMPORAL_VERSION}`;
const PROGRAMS = ['cmd/server', 'cmd/tools/sql'];
/** What the programs read of their module: the configuration that the image of the server has as well, and the tables. */
const FILES = ['config/docker.yaml', 'schema/postgresql/v12'];
/** Where Go is put, which is not on everybody's PATH. */
const KNOWN_GO = ['/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/bin'];

const MODULE_MS = 120_000;
const BUILD_MS = 15 * 60_000;
const TELL_MS = 30_000;

const execute = promisify(execFile);

/** There is no server that was built before, and none can be built: Go is missing, or what it needs is not to be had. */
export class NoTemporalServerError extends Error {}

/** Resolves with the folder of `server`, `sql`, `config` and `schema`. Rejects with a reason in one line. */
export async function findTemporalServer({ config, say, signal }) {
  const folder = join(config.cacheDir, `temporal-server-${TEMPORAL_VERSION}`);
  if (await isWhole(folder)) return folder;
  const installed = process.env.GOROOT ? [join(process.env.GOROOT, 'bin')] : KNOWN_GO;
  const go = [...config.searchPath, ...installed].map((path) => join(path, 'go')).find(existsSync);
  if (go === undefined)
    throw new NoTemporalServerError(
      `The Temporal server ${TEMPORAL_VERSION} is built with Go, and there is none on PATH. Install Go 1.24 or newer.`,
    );
  const { withExclusiveLock } = require(join(root, 'dist', 'temporal', 'exclusive-lock.js'));
  return withExclusiveLock(folder, { waitMs: BUILD_MS }, async () => {
    if (!(await isWhole(folder))) await build({ go, folder, say, signal });
    return folder;
  });
}

async function isWhole(folder) {
  try {
    const { stdout } = await execute(join(folder, 'server'), ['--version'], { timeout: 30_000 });
    return stdout.includes(TEMPORAL_VERSION) && FILES.every((file) => existsSync(join(folder, file)));
  } catch {
    return false;
  }
}

/** The folder comes into being whole or not at all. */
async function build({ go, folder, say, signal }) {
  const making = mkdtempSync(`${folder}.`);
  try {
    const module = await moduleFolder(go, signal);
    for (const file of FILES) copyFiles(join(module, file), join(making, file));
    await install({ go, folder: making, say, signal });
    if (!(await isWhole(making))) throw new Error('what Go built does not run here');
    rmSync(folder, { recursive: true, force: true });
    renameSync(making, folder);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new NoTemporalServerError(
      `The Temporal server ${TEMPORAL_VERSION} cannot be built: ${error.message}`,
      { cause: error },
    );
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Settings of whoever calls must not change what is built; the proxy and the caches are theirs. */
const goEnvironment = (additions = {}) => ({
  ...process.env,
  GOFLAGS: '-buildvcs=false',
  GOWORK: 'off',
  ...additions,
});

async function moduleFolder(go, signal) {
  try {
    const { stdout } = await execute(go, ['mod', 'download', '-json', MODULE], {
      env: goEnvironment(),
      timeout: MODULE_MS,
      signal,
    });
    return JSON.parse(stdout).Dir;
  } catch (error) {
    if (error.killed) throw new Error('the Go module proxy does not answer', { cause: error });
    const told = /"Error": (".*")/.exec(error.stdout ?? '')?.[1];
    throw new Error(lastLine(told === undefined ? (error.stderr ?? error.message) : JSON.parse(told)), {
      cause: error,
    });
  }
}

async function install({ go, folder, say, signal }) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1_000);
  say(
    `Building the Temporal server ${TEMPORAL_VERSION} with Go; this takes some minutes, once for this user…`,
  );
  const telling = setInterval(() => say(`Still building the Temporal server (${seconds()} s)…`), TELL_MS);
  try {
    const packages = PROGRAMS.map((path) => MODULE.replace('@', `/${path}@`));
    const child = spawn(go, ['install', '-trimpath', '-ldflags=-s -w', ...packages], {
      env: goEnvironment({ GOBIN: folder }),
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: BUILD_MS,
      signal,
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-4_000)));
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    if (code === null) throw new Error(`Go was not ready after ${seconds()} s`);
    if (code !== 0) throw new Error(lastLine(said));
    say(`Built it in ${seconds()} s.`);
  } finally {
    clearInterval(telling);
  }
}

function lastLine(text) {
  return text.trim().split('\n').at(-1);
}

/** Without the module cache's modes, which let nobody remove a folder. */
function copyFiles(from, to) {
  const copied = statSync(from).isFile()
    ? [[from, to]]
    : readdirSync(from, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((file) => [file, join(to, relative(from, file))]);
  for (const [source, target] of copied) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(source));
  }
}
