import { readFileSync } from 'node:fs';
import type { Config } from '../config';
import { ServerRecord, serverFiles } from '../temporal/server-record';
import { ExitCode } from './exit-code';

/** Ends this process now, and the data folder's server with it where nobody else uses that. */
export function leaveAtOnce(config: Pick<Config, 'dataDir'>): never {
  try {
    const record = ServerRecord.parse(JSON.parse(readFileSync(serverFiles(config.dataDir).record, 'utf8')));
    if (record.users.includes(process.pid) && record.users.every((pid) => pid === process.pid)) {
      process.kill(-record.pid, 'SIGKILL');
    }
  } catch {
    // Nothing is written down, or it has ended: there is nothing left to kill.
  }
  process.exit(ExitCode.cancelled);
}
