// `npm run topology`: what docker-compose.yml starts, on this machine without Docker: PostgreSQL, Redis, the Temporal server and
// two workers, with the settings of deploy/. A report is made over them while one worker is killed, and held against the one that
// nobody disturbed.
//   npm run topology -- [--keep] [--folder FOLDER] [--settings] [--skip-without-server]
import { NoTemporalServerError } from './services/temporal-server.mjs';
import { setUp } from './setup.mjs';
import { readOptions, UsageError } from './topology/options.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

async function main(options) {
  await setUp({ say });
  // What these import is there only now.
  const { listenForStop } = await import('./topology/stop.mjs');
  const { printSettings, runTopology } = await import('./topology/run.mjs');
  if (options.settings) {
    printSettings();
    return 0;
  }
  const stop = listenForStop();
  try {
    await runTopology({ options, say, stop });
    return 0;
  } catch (error) {
    if (!stop.isAsked()) throw error;
    // Who keeps it up ends it this way.
    return stop.isWanted() ? 0 : 130;
  }
}

let options = null;
try {
  options = readOptions(process.argv.slice(2));
  process.exitCode = await main(options);
} catch (error) {
  const isSkipped = error instanceof NoTemporalServerError && options?.skipWithoutServer === true;
  (isSkipped ? say : console.error)(isSkipped ? `Topology skipped: ${error.message}` : error.message);
  process.exitCode = isSkipped ? 0 : error instanceof UsageError ? 2 : 1;
}
