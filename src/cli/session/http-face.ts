import { isInForce } from '../../app/access/access-tokens';
import { openVerifier } from '../../app/open-verifier';
import { packageVersion } from '../../app/package-version';
import type { Config } from '../../config/config';
import type { KeptToken } from '../../contracts/access/token';
import { isProcessAlive } from '../../temporal/process-of-server';
import { environmentNames } from '../../config/setting-names';
import type { App } from '../../http/face';
import { LIMITS } from '../../http/access/limits';
import { sweepUploads } from '../../http/requests/upload-folders';
import { createServer } from '../../http/server';
import { errorCode } from '../../platform/error-code';
import { isLoopback } from '../../platform/loopback';
import { PortError } from '../../platform/port-error';
import type { CommandContext } from '../command-context';
import type { Stores } from '../../stores/stores';
import { COMMAND } from '../package-files';
import { safeLine } from '../terminal/safe-text';
import { openCommandSession } from './command-session';
import { facePartsOf, LOCAL_OWNER, reportOn } from './face-parts';

export interface HttpFace {
  url: string;
  needsToken: boolean;
  /** Who is let in and how, as a sentence. */
  wayIn: string;
  /** Resolves when the server of the runs that was started for it is gone. */
  serverLost: Promise<unknown>;
  close: () => Promise<void>;
}

export interface FaceOptions {
  /** Whether any other port will do where its own is taken. */
  orElsewhere?: boolean;
  /** Those that this process has open. */
  stores?: Stores | undefined;
}

/**
 * Opens the HTTP face over the server of this folder, or of `TEMPORAL_ADDRESS`; workers elsewhere carry out the runs. Rejects with
 * `StartError` where requests would fail, and with `PortError` where another process has the port, unless any other port will do.
 */
export async function openHttpFace(
  context: CommandContext,
  config: Config,
  { orElsewhere = false, stores }: FaceOptions = {},
): Promise<HttpFace> {
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
    // Decided here, once. A face with further origins has a proxy before it, whose requests come from everywhere.
    const needsToken = !isLoopback(host) || origins.length > 0 || tokens.length > 0;
    const named = new Set(origins);
    const hosts = new Set(origins.map((origin) => new URL(origin).host));
    await sweepUploads(isProcessAlive);
    app = await createServer(facePartsOf(session, config, verifier), {
      hosts,
      origins: named,
      withoutToken: needsToken ? null : LOCAL_OWNER,
      version: packageVersion(),
      maxUploadBytes: config.http.maxUploadBytes,
      limits: { ...LIMITS, runs: config.http.maxRunsPerOwner },
      graceMs: config.worker.shutdownGraceMs,
      report: reportOn(terminal),
      // For a log collector; a person at a terminal sees none of it.
      logAccess: terminal.isWatched ? undefined : (entry) => terminal.say(safeLine(JSON.stringify(entry))),
    });
    const url = await listen(app, { host, port }, orElsewhere);
    const { port: taken } = new URL(url);
    for (const name of isLoopback(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [host]) {
      hosts.add(`${name}:${taken}`);
      named.add(`http://${name}:${taken}`);
    }
    return { url, needsToken, wayIn: wayInOf(needsToken, tokens), serverLost: session.serverLost, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function wayInOf(needsToken: boolean, tokens: readonly KeptToken[]): string {
  const make = `"${COMMAND} token make NAME --scope admin"`;
  if (!needsToken)
    return `Whoever is on this machine may do everything. ${make} makes a token, and from then on each request needs one.`;
  return tokens.some((kept) => isInForce(kept, new Date()))
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
