// `npm run test:long topology`: what docker-compose.yml starts, on this machine without Docker: PostgreSQL, Redis, the Temporal server and
// two workers, with the settings of deploy/. A report is made over them while one worker is killed, and held against the one that
// nobody disturbed (tests/system/topology).
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './checkout.mjs';
import { findTemporalServer, NoTemporalServerError } from './temporal-server.mjs';
import { setUp } from './setup.mjs';

const USAGE = `node scripts/topology.mjs [--keep] [--folder FOLDER] [--settings] [--skip-without-server]
  --keep              leave everything up until Ctrl-C, and print what a client needs
  --folder FOLDER     keep databases, Redis's file and logs there; the same folder goes on with them
  --settings          print what each part is given, and start nothing
  --skip-without-server   end well where there is no Temporal server and none can be built`;

const require = createRequire(import.meta.url);
const say = (line) => process.stdout.write(`${line}\n`);

function readOptions() {
  const { values } = parseArgs({
    options: {
      keep: { type: 'boolean', default: false },
      folder: { type: 'string' },
      settings: { type: 'boolean', default: false },
      'skip-without-server': { type: 'boolean', default: false },
    },
  });
  const { keep, folder = null, settings, 'skip-without-server': skips } = values;
  return { keep, folder, settings, skips };
}

/** The folder of a program, on PATH or where Debian installs PostgreSQL. Throws with a sentence where it is not installed. */
function folderOf(program) {
  const versions = '/usr/lib/postgresql';
  const installed = existsSync(versions)
    ? readdirSync(versions).map((name) => join(versions, name, 'bin'))
    : [];
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', ...installed.reverse()]) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder;
    } catch {
      // It is not there; the next folder may have it.
    }
  }
  throw new Error(`${program} is not installed. The topology needs PostgreSQL and Redis.`);
}

/** The programs of all parts. Rejects with the name of what is missing. */
async function findPrograms(signal) {
  const { loadConfig } = require(join(root, 'dist', 'config', 'config.js'));
  const { findServerBinary } = require(join(root, 'dist', 'temporal', 'find-server-binary.js'));
  const config = loadConfig();
  // What may be missing for good is looked for first.
  const temporal = await findTemporalServer({ config, say, signal });
  const postgres = folderOf('initdb');
  const redis = join(folderOf('redis-server'), 'redis-server');
  const { path: cli } = await findServerBinary({ ...config, tell: say });
  process.env.TEST_POSTGRES_BIN = postgres;
  return { temporal, cli, postgres, redis };
}

/** Resolves with the exit code of the script that starts the parts. */
function runTopology(options) {
  const script = join(root, 'tests', 'system', 'topology', 'topology.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(options)], {
    cwd: root,
    stdio: 'inherit',
  });
  // A signal reaches both; this process stays until the other has cleaned up.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('close', (code) => resolve(code ?? 1)),
  );
}

async function main({ skips, ...options }) {
  await setUp({ say });
  const stop = new AbortController();
  const abort = () => stop.abort(new Error('Stopped by a signal'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, abort);
  try {
    const programs = options.settings ? null : await findPrograms(stop.signal);
    if (stop.signal.aborted) return 130;
    return await runTopology({ ...options, programs });
  } catch (error) {
    if (stop.signal.aborted) return 130;
    const isSkipped = skips && error instanceof NoTemporalServerError;
    (isSkipped ? say : console.error)(isSkipped ? `Topology skipped: ${error.message}` : error.message);
    return isSkipped ? 0 : 1;
  }
}

let options = null;
try {
  options = readOptions();
} catch (error) {
  console.error(`${error.message}\n${USAGE}`);
}
process.exitCode = options === null ? 2 : await main(options);
