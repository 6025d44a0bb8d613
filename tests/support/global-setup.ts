import { readFileSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from '../../scripts/setup.mjs';

/**
 * Builds the project where its sources changed, and starts the one Temporal server that all test files share. Temporary files lie
 * in memory where that is possible: stores and servers wait for the disk at every commit, 5 ms and more each.
 */
export default async function setup(): Promise<() => Promise<void>> {
  await setUp();
  // It imports what is built.
  const { SHARED_SERVER, startServer } = await import('./temporal-server.js');
  const folder = await mkdtemp(join(isMemoryUsable() ? MEMORY : tmpdir(), 'colligate-tests-'));
  const server = await startServer(folder);
  // The processes of the test files inherit both.
  process.env['TMPDIR'] = folder;
  process.env[SHARED_SERVER] = server.address;
  return async () => {
    process.kill(server.pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 2_000_000_000;

/** Containers often give it 64 MB, and some systems run no program that lies there. */
function isMemoryUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    return bavail * bsize > NEEDED_BYTES && mount !== undefined && !mount.includes('noexec');
  } catch {
    return false;
  }
}
