import { openVerifier } from '../../app/open-verifier';
import { packageVersion } from '../../app/package-version';
import type { Config } from '../../config/config';
import { environmentNames } from '../../config/setting-names';
import type { App } from '../../http/face';
import { createServer } from '../../http/server';
import { errorCode } from '../../platform/error-code';
import { isLoopback } from '../../platform/loopback';
import { PortError } from '../../platform/port-error';
import type { CommandContext } from '../command-context';
import type { Stores } from '../../stores/stores';
import { UsageError } from '../failures/usage-error';
import { COMMAND } from '../package-files';
import { openCommandSession } from './command-session';
import { facePartsOf, LOCAL_OWNER, reportOn } from './face-parts';

/** The HTTP face, listening. */
export interface HttpFace {
  url: string;
  needsToken: boolean;
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
 * Opens the HTTP face over the server of this folder, or of `TEMPORAL_ADDRESS`; runs are carried out by workers elsewhere. Rejects with
 * `UsageError` where others could come in without a token, and with `PortError` where another process has the port, unless any other
 * port will do.
 */
export async function openHttpFace(
  context: CommandContext,
  config: Config,
  { orElsewhere = false, stores }: FaceOptions = {},
): Promise<HttpFace> {
  const { terminal } = context;
  const { host, port, origins } = config.http;
  const session = await openCommandSession(context, config, { server: 'start', worker: 'none' }, stores);
  const verifier = openVerifier(config);
  let app: App | undefined;
  const close = async (): Promise<void> => {
    try {
      await app?.close();
    } finally {
      await verifier.close();
      await session.close();
    }
  };
  try {
    const isOwn = isLoopback(host);
    const hasTokens = (await session.access.tokens()).length > 0;
    if (!isOwn && !hasTokens)
      throw new UsageError([
        `${environmentNames['http.host']} is ${host}, which others reach, and there is no token: anybody could start runs. ` +
          `Make a token first with "${COMMAND} token make NAME", or listen on 127.0.0.1.`,
      ]);
    const named = new Set(origins);
    const hosts = new Set(origins.map((origin) => new URL(origin).host));
    app = await createServer(facePartsOf(session, config, verifier), {
      hosts,
      origins: named,
      withoutToken: isOwn ? LOCAL_OWNER : null,
      version: packageVersion(),
      maxUploadBytes: config.http.maxUploadBytes,
      report: reportOn(terminal),
    });
    const url = await listen(app, { host, port }, orElsewhere);
    const { port: taken } = new URL(url);
    for (const name of isOwn ? ['127.0.0.1', 'localhost', '[::1]'] : [host]) {
      hosts.add(`${name}:${taken}`);
      named.add(`http://${name}:${taken}`);
    }
    return { url, needsToken: hasTokens, serverLost: session.serverLost, close };
  } catch (error) {
    await close();
    throw error;
  }
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
