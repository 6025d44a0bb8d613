import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Config from '../../../src/app/config';
import type * as ExtractiveEngine from '../../../src/engines/extractive/module';
import type * as OpenStores from '../../../src/stores/open-stores';
import type * as WorkerModule from '../../../src/worker';
import { createGate, type Hold, holdContent, holdEngine, holdEvents, holdResponses } from './hold';

// The build, as the command line runs it: from sources each process, and each thread of it, would spend seconds on
// compiling. It has no declarations, but the types of its sources.
const load = createRequire(join(__dirname, '../../../dist/worker.js'));
const { loadConfig } = load('./app/config.js') as typeof Config;
const { createExtractiveEngine } = load('./engines/extractive/module.js') as typeof ExtractiveEngine;
const { openStores } = load('./stores/open-stores.js') as typeof OpenStores;
const { startWorker } = load('./worker.js') as typeof WorkerModule;

/** What a test tells this process, as JSON in its only argument. */
export interface HoldingWorkerOptions {
  cwd: string;
  address: string;
  holds: readonly Hold[];
}

/**
 * A worker like the command line's, on the real stores and engines, that stops at the places it is told. It says so on a
 * line each, and once when it is ready. SIGUSR2 lets go what it holds; SIGTERM drains it.
 */
async function main(): Promise<void> {
  // It is the test that writes the argument.
  const options = JSON.parse(process.argv[2] ?? '') as HoldingWorkerOptions;
  const holdsSteps = options.holds.some(({ at }) => at === 'asked' || at === 'streaming');
  const config = loadConfig({
    cwd: options.cwd,
    env: {},
    flags: {
      logLevel: 'silent',
      // Steps that are held keep their turns, of which there is one more than threads.
      'worker.threads': holdsSteps ? 7 : 1,
      'worker.maxConcurrentActivities': 40,
      'worker.shutdownGraceMs': 10_000,
    },
  });
  const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  const gate = createGate(options.holds, (hold) => say({ held: hold }));
  process.on('SIGUSR2', () => gate.letGo());
  const stores = await openStores(config);
  const worker = await startWorker({
    config,
    target: { ...config.temporal, address: options.address },
    stores: {
      ...stores,
      content: holdContent(stores.content, gate),
      events: holdEvents(stores.events, gate),
      responses: holdResponses(stores.responses, gate),
    },
    // Steps are held of the engine that quotes; a model's calls at the cache that keeps them.
    ...(holdsSteps && {
      engines: (threads) => ({
        extractive: holdEngine(createExtractiveEngine({ threads }), stores.events, gate),
      }),
    }),
  });
  process.on('SIGTERM', () => void worker.drain());
  say({ ready: true });
  await worker.ended;
  await stores.close();
}

void main();
