// `npm run topology`: what docker-compose.yml starts, on this machine without Docker: PostgreSQL, Redis, the Temporal server and
// two workers, with the settings of deploy/. A report is made over them while one worker is killed, and held against the one that
// nobody disturbed (tests/system/topology).
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './checkout.mjs';
import { runTestScript } from './run-test-script.mjs';
import { findPostgres, findRedisServer } from './services/services.mjs';
import { findTemporalServer, NoTemporalServerError } from './services/temporal-server.mjs';
import { setUp } from './setup.mjs';

const USAGE = `npm run topology -- [--keep] [--folder FOLDER] [--settings] [--skip-without-server]
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

/** The programs of all parts; what is missing is got first. Rejects with what cannot be had, and why. */
async function findPrograms(signal) {
  const { loadConfig } = require(join(root, 'dist', 'config', 'config.js'));
  const { findServerBinary } = require(join(root, 'dist', 'temporal', 'find-server-binary.js'));
  const config = loadConfig();
  // What may be missing for good is looked for first.
  const temporal = await findTemporalServer({ config, say, signal });
  const [postgres, redis] = [await findPostgres({ config, say }), await findRedisServer({ config, say })];
  for (const { reason } of [postgres, redis]) if (reason !== null) throw new Error(`${reason}.`);
  const { path: cli } = await findServerBinary({ ...config, tell: say });
  process.env.TEST_POSTGRES_BIN = dirname(postgres.path);
  return { temporal, cli, postgres: dirname(postgres.path), redis: redis.path };
}

async function main({ skips, ...options }) {
  await setUp({ say });
  const stop = new AbortController();
  const abort = () => stop.abort(new Error('Stopped by a signal'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, abort);
  try {
    const programs = options.settings ? null : await findPrograms(stop.signal);
    if (stop.signal.aborted) return 130;
    return await runTestScript('topology/topology.ts', [JSON.stringify({ ...options, programs })]);
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
