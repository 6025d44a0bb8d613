import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Config from '../../../src/config/config';
import type * as OpenStores from '../../../src/stores/open-stores';
import type * as WorkerModule from '../../../src/worker';
import { createStop, holdPasses, holdResponses, type HoldPoint } from './hold-points';

// The build, as the command line runs it. It has no declarations, but the types of its sources.
const load = createRequire(join(__dirname, '../../../dist/worker.js'));
const { loadConfig } = load('./config/config.js') as typeof Config;
const { openStores } = load('./stores/open-stores.js') as typeof OpenStores;
const { startWorker } = load('./worker.js') as typeof WorkerModule;

/** What a test tells this process, as JSON in its only argument. */
export interface HoldingModelWorkerOptions {
  /** The project folder, whose configuration file has the endpoint. */
  cwd: string;
  address: string;
  holds: HoldPoint[];
}

/** A worker like the command line's that stops at the places it is told. It says so on a line each, and once when it is ready. */
async function main(): Promise<void> {
  // It is the test that writes the argument.
  const options = JSON.parse(process.argv[2] ?? '') as HoldingModelWorkerOptions;
  const config = loadConfig({
    cwd: options.cwd,
    env: {},
    flags: { logLevel: 'silent', 'worker.threads': 1, 'worker.maxConcurrentActivities': 40 },
  });
  const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  const stop = createStop(options.holds, (hold) => say({ held: hold }));
  const stores = await openStores(config);
  const worker = await startWorker({
    config,
    target: { ...config.temporal, address: options.address },
    stores: {
      ...stores,
      responses: holdResponses(stores.responses, stop),
      events: holdPasses(stores.events, stop),
    },
  });
  say({ ready: true });
  await worker.ended;
}

void main();
