import type { Config } from '../../config/config';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import { openHttpFace } from './http-face';
import { leaveAtOnce } from './leave-at-once';
import { listenForStop, untilAborted } from './stop-signals';

/** Serves the HTTP face until a stop signal. */
export async function serveHttp(
  context: CommandContext,
  config: Config,
  { json }: { json: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const signals = listenForStop(context.io.signals);
  signals.onSecond(() => leaveAtOnce(context, config));
  try {
    const { url, needsToken, serverLost, close } = await openHttpFace(context, config);
    try {
      if (json) terminal.printJson({ url, needsToken });
      else {
        terminal.print(`Pages and HTTP    ${url}`);
        terminal.say(
          needsToken
            ? 'Each request needs a token.'
            : `Whoever is on this machine may do everything. "${COMMAND} token make NAME" makes a token, and from then on each request needs one.`,
        );
        terminal.say('Ctrl-C stops it.');
      }
      await Promise.race([untilAborted(signals.stopped), serverLost]);
      return ExitCode.ok;
    } finally {
      await close();
    }
  } finally {
    signals.dispose();
  }
}
