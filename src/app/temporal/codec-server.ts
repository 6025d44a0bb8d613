import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { z } from 'zod';
import { PayloadKeyError } from '../../client/client-errors';
import { tryParseJson } from '../../lib/json';
import { type HttpListener, listenHttp, type Secret } from '../../lib/process';
import type { Config } from '../config';
import { payloadCodec } from './payload-encryption';
import { findServer } from './temporal-server';

const REQUEST_MS = 30_000;

const MAX_BODY_BYTES = 16 * 1024 * 1024;

const PayloadsBody = z.object({
  payloads: z.array(
    z.object({
      metadata: z.record(z.string(), z.base64()).nullish(),
      data: z.base64().nullish(),
    }),
  ),
});

class CodecRefusal extends Error {
  override readonly name = 'CodecRefusal';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Empty `origins` select the Web UI of the data folder's server. */
export interface OpenCodecOptions {
  config: Pick<Config, 'encryption' | 'temporal' | 'dataDir'>;
  host: string;
  port: number;
  origins: readonly string[];
  token: Secret | null;
}

export interface OpenCodecServer extends HttpListener {
  origins: readonly string[];
}

export async function openCodecServer({ config, ...given }: OpenCodecOptions): Promise<OpenCodecServer> {
  const origins = given.origins.length > 0 ? given.origins : await originsOfWebUi(config);
  const served = await serveCodec({ ...given, origins, codec: payloadCodec(config) });
  return { ...served, origins };
}

/** The Web UI is reachable under two host names. */
async function originsOfWebUi({ temporal, dataDir }: OpenCodecOptions['config']): Promise<string[]> {
  if (temporal.address !== null) return [];
  const uiUrl = (await findServer(dataDir))?.uiUrl;
  if (uiUrl === undefined) return [];
  const { port } = new URL(uiUrl);
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
}

interface CodecServerOptions {
  codec: PayloadCodec;
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Origins that may send requests. Requests without an origin, which come from programs, are allowed. */
  origins: readonly string[];
  token: Secret | null;
}

/**
 * Serves Temporal's remote codec protocol. Callers can read encrypted data, so other origins are rejected before the
 * body is read. Logs nothing.
 */
export async function serveCodec(options: CodecServerOptions): Promise<HttpListener> {
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    handleRequest(options, request, response).catch(() => response.destroy()); // the client has disconnected
  });
  return listenHttp(server, options);
}

async function handleRequest(
  options: CodecServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    allowOrigin(options, request, response);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    authorize(options, request);
    const codec = codecOperation(options.codec, request);
    const payloads = await codec(await readPayloads(request));
    send(response, 200, payloadsBody(payloads));
  } catch (error) {
    if (!request.complete) response.setHeader('Connection', 'close');
    if (error instanceof CodecRefusal) send(response, error.status, { message: error.message });
    else if (error instanceof PayloadKeyError) send(response, 400, { message: error.message });
    else send(response, 500, { message: 'The payloads could not be read.' });
  }
}

function allowOrigin(
  { origins }: CodecServerOptions,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const { origin } = headers;
  response.setHeader('Vary', 'Origin');
  if (origin === undefined) return;
  if (!origins.includes(origin))
    throw new CodecRefusal(
      403,
      `Pages of ${JSON.stringify(origin.slice(0, 200))} may not ask here: name the Web UI's address with --origin.`,
    );
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Allow-Methods', 'POST, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', 'content-type, x-namespace, authorization');
  // Browsers require this header for requests from a public page to this machine.
  if (headers['access-control-request-private-network'] === 'true')
    response.setHeader('Access-Control-Allow-Private-Network', 'true');
}

function authorize({ token }: CodecServerOptions, { headers }: IncomingMessage): void {
  if (token === null) return;
  const given = digest(headers.authorization ?? '');
  if (!timingSafeEqual(given, digest(`Bearer ${token.reveal()}`)))
    throw new CodecRefusal(401, 'This endpoint asks for a token: send the header Authorization: Bearer ….');
}

function codecOperation(codec: PayloadCodec, { method, url }: IncomingMessage): PayloadCodec['encode'] {
  const name = new URL(url ?? '/', 'http://codec').pathname.split('/').at(-1);
  if (name !== 'encode' && name !== 'decode')
    throw new CodecRefusal(404, 'There are /encode and /decode here, and nothing else.');
  if (method !== 'POST') throw new CodecRefusal(405, `Ask /${name} with POST.`);
  return (payloads) => codec[name](payloads);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function readPayloads(request: IncomingMessage): Promise<Payload[]> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new CodecRefusal(415, 'The body has to be JSON: send the header Content-Type: application/json.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES)
      throw new CodecRefusal(413, `The body is larger than ${MAX_BODY_BYTES} bytes: send fewer payloads.`);
    chunks.push(chunk);
  }
  const body = PayloadsBody.safeParse(tryParseJson(Buffer.concat(chunks).toString('utf8')));
  if (!body.success)
    throw new CodecRefusal(
      400,
      'The body has to be {"payloads": [{"metadata": {…}, "data": "…"}]}, with values in base64.',
    );
  return body.data.payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(data ?? '', 'base64'),
  }));
}

function payloadsBody(payloads: readonly Payload[]): z.infer<typeof PayloadsBody> {
  return {
    payloads: payloads.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]),
      ),
      data: base64(data ?? []),
    })),
  };
}

function base64(bytes: Uint8Array | number[]): string {
  return Buffer.from(bytes).toString('base64');
}
