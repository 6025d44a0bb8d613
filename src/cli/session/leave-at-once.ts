import { takeServerAlong } from '../../app/session/take-server-along';
import type { Config } from '../../config/config';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { tellOn } from './tell-news';

/** Ends the command now, and the data folder's server with it where nobody else uses that. */
export function leaveAtOnce({ terminal, leave }: CommandContext, config: Pick<Config, 'dataDir'>): void {
  takeServerAlong(config, tellOn(terminal));
  leave(ExitCode.cancelled);
}
