import type { Config } from '../../config/config';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { openHttpFace } from './http-face';
import { leaveAtOnce } from './leave-at-once';
import { listenForStop, untilAborted } from './stop-signals';

export async function serveHttp(
  context: CommandContext,
  config: Config,
  { json }: { json: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const signals = listenForStop(context.io.signals);
  signals.onSecond(() => leaveAtOnce(context, config));
  try {
    const { url, needsToken, wayIn, serverLost, close } = await openHttpFace(context, config);
    try {
      if (json) terminal.printJson({ url, needsToken });
      else {
        terminal.print(`Pages and HTTP    ${url}`);
        terminal.say('Ctrl-C stops it.');
      }
      terminal.say(wayIn);
      await Promise.race([untilAborted(signals.stopped), serverLost]);
      terminal.say('Stopping: requests under way finish. Ctrl-C again leaves at once.');
      return ExitCode.ok;
    } finally {
      await close();
    }
  } finally {
    signals.dispose();
  }
}
