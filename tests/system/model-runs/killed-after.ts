import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../../support/until';
import type { DurabilityBench } from '../durability/durability-bench';
import type { HoldingModelWorkerOptions } from './holding-model-worker';
import type { HoldPoint } from './hold-points';

const ROOT = resolve(__dirname, '../../..');

/** Has a worker work until it is held at the point, and ends it there with SIGKILL. */
export async function killedAfter(
  { folder, server }: Pick<DurabilityBench, 'folder' | 'server'>,
  hold: HoldPoint,
): Promise<void> {
  const options: HoldingModelWorkerOptions = { cwd: folder, address: server.address, holds: [hold] };
  const script = join(ROOT, 'tests/system/model-runs/holding-model-worker.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(options)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const said = new Set<string>();
    createInterface({ input: child.stdout }).on('line', (line) => said.add(line));
    await until(
      async () => said.has(JSON.stringify({ held: hold })),
      (isHeld) => isHeld,
    );
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
