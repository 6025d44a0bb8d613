import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config';
import { isProcessAlive } from '../../temporal/process-of-server';
import { ServerRecord, serverFiles } from '../../temporal/server-record';
import type { Tell } from './news';

/** Kills the data folder's server where no other living process uses it; tells that it stays where others do. */
export function takeServerAlong(config: Pick<Config, 'dataDir'>, tell: Tell): void {
  try {
    const record = ServerRecord.parse(JSON.parse(readFileSync(serverFiles(config.dataDir).record, 'utf8')));
    if (!record.users.includes(process.pid)) return;
    // Commands that were killed are still written down.
    const others = record.users.filter((pid) => pid !== process.pid && isProcessAlive(pid));
    if (others.length === 0) process.kill(-record.pid, 'SIGKILL');
    else tell({ what: 'server-stays', address: record.address });
  } catch {
    // Nothing is written down, or it has ended: there is nothing left to kill.
  }
}
