import type { Config } from '../../config/config';
import type { Listening } from '../../platform/listen-http';
import type { Secret } from '../../platform/secret';
import { payloadCodec } from '../../temporal/payloads/data-converter';
import { findServer } from '../../temporal/server';
import { serveCodec } from './serve-codec';

/** What an endpoint is opened with; no origins are those of the Web UI of the folder's own server. */
export interface OpenCodecOptions {
  config: Pick<Config, 'encryption' | 'temporal' | 'dataDir'>;
  host: string;
  port: number;
  origins: readonly string[];
  token: Secret | null;
}

export interface OpenedCodec extends Listening {
  /** Whose pages are answered; none where no Web UI is known. */
  origins: readonly string[];
}

export async function openCodec({ config, ...given }: OpenCodecOptions): Promise<OpenedCodec> {
  const origins = given.origins.length > 0 ? given.origins : await originsOfWebUi(config);
  const served = await serveCodec({ ...given, origins, codec: payloadCodec(config) });
  return { ...served, origins };
}

/** The same page has two names on its own machine. */
async function originsOfWebUi({ temporal, dataDir }: OpenCodecOptions['config']): Promise<string[]> {
  if (temporal.address !== null) return [];
  const uiUrl = (await findServer(dataDir))?.uiUrl;
  if (uiUrl === undefined) return [];
  const { port } = new URL(uiUrl);
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
}
