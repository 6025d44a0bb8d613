import { takeServerAlong } from '../../app/session/take-server-along';
import type { Config } from '../../config/config';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { tellOn } from './tell-news';

/** Ends this process now, and the data folder's server with it where nobody else uses that. */
export function leaveAtOnce({ terminal }: CommandContext, config: Pick<Config, 'dataDir'>): never {
  takeServerAlong(config, tellOn(terminal));
  process.exit(ExitCode.cancelled);
}
