import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from '../../scripts/setup.mjs';

/** Builds the project where its sources changed, and starts the one Temporal server that all test files share. */
export default async function setup(): Promise<() => Promise<void>> {
  await setUp();
  // It imports what is built.
  const { SHARED_SERVER, startServer } = await import('./temporal-server.js');
  const folder = await mkdtemp(join(tmpdir(), 'colligate-tests-'));
  const server = await startServer(folder);
  // The processes of the test files inherit it.
  process.env[SHARED_SERVER] = server.address;
  return async () => {
    process.kill(server.pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}
