import { isTokenValid } from '../app/access-tokens';
import type { Config } from '../app/config';
import { openVerifier } from '../app/local-tasks';
import { packageVersion } from '../app/package-version';
import { isProcessAlive } from '../app/temporal/server-record';
import type { StoredToken } from '../contracts/run';
import { environmentNames } from '../contracts/setting-names';
import { createServer } from '../http/server';
import { type App, LIMITS } from '../http/server-context';
import { sweepUploads } from '../http/uploads';
import { errorCode, PortError } from '../lib/errors';
import { isLoopback } from '../lib/url';
import type { Stores } from '../stores/stores';
import { COMMAND, type CommandContext, ExitCode, listenForStop, untilAborted } from './command-context';
import { exitImmediately, openCommandSession } from './command-session';
import { createServerParts, errorReporter, LOCAL_OWNER } from './server-parts';
import { safeLine } from './terminal';

export interface RunningHttpServer {
  url: string;
  needsToken: boolean;
  /** Which token requests need, as a sentence. */
  wayIn: string;
  /** Resolves when the embedded server has ended. */
  serverLost: Promise<unknown>;
  close: () => Promise<void>;
}

export interface HttpServerOptions {
  orElsewhere?: boolean;
  stores?: Stores | undefined;
}

/**
 * Opens the HTTP server for the runs of this folder, or of `TEMPORAL_ADDRESS`. Rejects with `StartError` if
 * requests would fail, and with `PortError` if the port is taken, unless `orElsewhere` is true.
 */
export async function openHttpServer(
  context: CommandContext,
  config: Config,
  { orElsewhere = false, stores }: HttpServerOptions = {},
): Promise<RunningHttpServer> {
  const { terminal } = context;
  const { host, port, origins } = config.http;
  const needs = { server: 'start', worker: 'none', checks: stores === undefined } as const;
  const session = await openCommandSession(context, config, needs, stores);
  const verifier = openVerifier(config);
  let app: App | undefined;
  const close = async (): Promise<void> => {
    try {
      await app?.close();
    } finally {
      await session.close();
    }
  };
  try {
    const tokens = await session.stores.access.tokens();
    // Decided once. Further origins mean a proxy, whose requests come from everywhere.
    const needsToken = !isLoopback(host) || origins.length > 0 || tokens.length > 0;
    const named = new Set(origins);
    const hosts = new Set(origins.map((origin) => new URL(origin).host));
    await sweepUploads(isProcessAlive);
    app = await createServer(createServerParts(session, config, verifier), {
      hosts,
      origins: named,
      withoutToken: needsToken ? null : LOCAL_OWNER,
      version: packageVersion(),
      maxUploadBytes: config.http.maxUploadBytes,
      limits: { ...LIMITS, runs: config.http.maxRunsPerOwner },
      graceMs: config.worker.shutdownGraceMs,
      report: errorReporter(terminal),
      // For a log collector. A person at a terminal does not see it.
      logAccess: terminal.isWatched ? undefined : (entry) => terminal.say(safeLine(JSON.stringify(entry))),
    });
    const url = await listen(app, { host, port }, orElsewhere);
    const { port: taken } = new URL(url);
    for (const name of isLoopback(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [host]) {
      hosts.add(`${name}:${taken}`);
      named.add(`http://${name}:${taken}`);
    }
    return { url, needsToken, wayIn: accessHint(needsToken, tokens), serverLost: session.serverLost, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function serveHttp(
  context: CommandContext,
  config: Config,
  { json }: { json: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const signals = listenForStop(context.io.signals);
  signals.onSecond(() => exitImmediately(context, config));
  try {
    const { url, needsToken, wayIn, serverLost, close } = await openHttpServer(context, config);
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

function accessHint(needsToken: boolean, tokens: readonly StoredToken[]): string {
  const make = `"${COMMAND} token make NAME --scope admin"`;
  if (!needsToken)
    return `Whoever is on this machine may do everything. ${make} makes a token, and from then on each request needs one.`;
  return tokens.some((kept) => isTokenValid(kept, new Date()))
    ? 'Each request needs a token.'
    : `Each request needs a token, and none is in force: all are answered with 401. Make one with ${make}.`;
}

async function listen(app: App, at: { host: string; port: number }, orElsewhere: boolean): Promise<string> {
  try {
    return await app.listen(at);
  } catch (error) {
    if (orElsewhere && errorCode(error) === 'EADDRINUSE') return app.listen({ ...at, port: 0 });
    const names = { port: environmentNames['http.port'], host: environmentNames['http.host'] };
    throw new PortError('The HTTP face', at, names, error);
  }
}
