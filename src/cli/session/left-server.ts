import type { RunningServer } from '../../temporal/running-server';
import type { CommandContext } from '../command-context';

/** A command that is killed cannot stop the server that it started: the next one finds it, and says so. */
export function tellIfLeft({ terminal }: CommandContext, server: RunningServer): void {
  if (server.wasLeft)
    terminal.say(
      `A command that was killed had left the Temporal server at ${server.address} running: this one uses it, and stops it at its end.`,
    );
}
