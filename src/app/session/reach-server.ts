import { existsSync } from 'node:fs';
import type { Config } from '../../config/config';
import type { RunningServer } from '../../temporal/running-server';
import { ensureServer, findServer } from '../../temporal/server';
import { serverFiles } from '../../temporal/server-record';
import type { Tell } from './news';
import { NoServerError } from '../../temporal/no-server-error';

/** `start`: an embedded one where none runs; `start-if-used-before`: only where this folder has runs; `must-run`: none is started. */
export type ServerNeed = 'start' | 'start-if-used-before' | 'must-run';

export async function serverRuns(config: Config): Promise<boolean> {
  return config.temporal.address !== null || (await findServer(config.dataDir)) !== null;
}

/** The server to work with, started where `need` allows it. Throws `NoServerError` else. */
export async function reachServer(config: Config, need: ServerNeed, tell: Tell): Promise<RunningServer> {
  if (need !== 'start' && !(await serverRuns(config))) {
    if (need === 'must-run') throw new NoServerError('No Temporal server is running for this folder.');
    if (!existsSync(serverFiles(config.dataDir).database))
      throw new NoServerError(`No Temporal server is running, and no run was made in ${config.dataDir} yet.`);
  }
  const server = await ensureServer(config, {
    tell: (line) => tell({ what: 'server-prepared', line }),
  });
  const { address, started, wasLeft } = server;
  if (started && need === 'start') tell({ what: 'server-started', address });
  if (wasLeft) tell({ what: 'server-was-left', address });
  return server;
}
