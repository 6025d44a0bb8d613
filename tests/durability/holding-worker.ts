import { loadConfig } from '../../src/config';
import { createExtractiveEngine } from '../../src/engines/extractive/engine';
import { openStores } from '../../src/stores/lmdb/open-stores';
import { startWorker } from '../../src/worker';
import { createGate, holdEngine, holdEvents, type Hold } from './hold';

/** What a test tells this process, as JSON in its only argument. */
export interface HoldingWorkerOptions {
  /** The project folder. */
  cwd: string;
  address: string;
  bundlePath: string;
  shutdownGraceMs: number;
  holds: Hold[];
}

/**
 * A worker like the command line's, on the real stores and engine, that stops at the places it is told. It says so on a
 * line each, and once when it is ready. SIGUSR2 lets everything go; SIGTERM drains it.
 */
async function main(): Promise<void> {
  // It is the test that writes the argument.
  const options = JSON.parse(process.argv[2] ?? '') as HoldingWorkerOptions;
  const config = loadConfig({
    cwd: options.cwd,
    env: {},
    flags: {
      logLevel: 'silent',
      'worker.maxConcurrentActivities': 40,
      'worker.shutdownGraceMs': options.shutdownGraceMs,
    },
  });
  const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  const gate = createGate(options.holds, (hold) => say({ held: hold }));
  process.on('SIGUSR2', () => gate.open());
  const stores = await openStores(config.dataDir);
  const worker = await startWorker({
    config,
    target: { ...config.temporal, address: options.address },
    stores: { ...stores, events: holdEvents(stores.events, gate) },
    engines: (threads) => ({
      extractive: holdEngine(createExtractiveEngine({ threads }), stores.events, gate),
    }),
    workflowBundle: { codePath: options.bundlePath },
  });
  process.on('SIGTERM', () => void worker.drain());
  say({ ready: true });
  await worker.ended;
  await stores.close();
}

void main();
