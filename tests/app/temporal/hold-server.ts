import { loadConfig } from '../../../src/app/config';
import { ensureServer } from '../../../src/app/temporal/temporal-server';

/** A process that uses the server of the folder it is given, says so on a line, and leaves when its input ends. */
async function main(): Promise<void> {
  const server = await ensureServer(loadConfig({ cwd: process.argv[2] ?? '' }));
  process.stdout.write(`${JSON.stringify({ address: server.address, started: server.started })}\n`);
  process.stdin.resume().on('end', () => void server.stop());
}

void main();
