import { once } from 'node:events';
import type { Config } from '../app/config';
import { openVerifier } from '../app/local-tasks';
import { packageVersion } from '../app/package-version';
import { serveMcpOnStdio } from '../http/mcp-server';
import { type CommandContext, ExitCode, listenForStop, untilAborted } from './command-context';
import { exitImmediately, openCommandSession } from './command-session';
import { createServerParts, errorReporter, LOCAL_OWNER } from './server-parts';

/** The same caller as in `serve` without a token. */
const LOCAL = { tokenId: null, owner: LOCAL_OWNER, scope: 'admin', byCookie: false } as const;

/** Serves until the parent process closes standard input. Standard output is for the protocol alone. */
export async function serveMcp(context: CommandContext, config: Config): Promise<ExitCode> {
  const { terminal, io } = context;
  const signals = listenForStop(context.io.signals);
  signals.onSecond(() => exitImmediately(context, config));
  const session = await openCommandSession(context, config, { server: 'start', worker: 'none' });
  try {
    const isLeft = Promise.race([once(io.stdin, 'end'), once(io.stdin, 'close')]);
    const served = serveMcpOnStdio(
      {
        ...createServerParts(session, config, openVerifier(config)),
        version: packageVersion(),
        report: errorReporter(terminal),
      },
      LOCAL,
      io,
    );
    await Promise.race([isLeft, untilAborted(signals.stopped), session.serverLost]);
    await served.close();
    return ExitCode.ok;
  } finally {
    await session.close();
    signals.dispose();
  }
}
