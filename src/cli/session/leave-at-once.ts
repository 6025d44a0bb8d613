import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config';
import { isProcessAlive } from '../../temporal/process-of-server';
import { ServerRecord, serverFiles } from '../../temporal/server-record';
import { ExitCode } from '../exit-code';

/** Ends this process now, and the data folder's server with it where nobody else uses that. */
export function leaveAtOnce(config: Pick<Config, 'dataDir'>): never {
  takeServerAlong(config);
  process.exit(ExitCode.cancelled);
}

/** Kills the data folder's server where no other living process uses it; says so where others do. */
export function takeServerAlong(config: Pick<Config, 'dataDir'>): void {
  try {
    const record = ServerRecord.parse(JSON.parse(readFileSync(serverFiles(config.dataDir).record, 'utf8')));
    if (!record.users.includes(process.pid)) return;
    // Commands that were killed are still written down.
    const others = record.users.filter((pid) => pid !== process.pid && isProcessAlive(pid));
    if (others.length === 0) process.kill(-record.pid, 'SIGKILL');
    else process.stderr.write(`The Temporal server at ${record.address} stays: other commands use it.\n`);
  } catch {
    // Nothing is written down, or it has ended: there is nothing left to kill.
  }
}
