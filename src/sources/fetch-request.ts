import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { buildConnector, type Dispatcher, errors, request } from 'undici';
import { errorCode } from '../lib/errors';
import { parseUrl } from '../lib/url';
import { type AllowedHosts, FetchError, hostAndPort } from './fetch-address';

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

const ACCEPTED_CODINGS = 'gzip, br, deflate';

export interface RequestOptions {
  dispatcher: Dispatcher;
  limits: FetchLimits;
  /** True to return the start of a body that is too large. */
  isCut: boolean;
  userAgent: string;
  headers: Readonly<Record<string, string>>;
  json: string | undefined;
  signal: AbortSignal | undefined;
}

export type FetchResponse =
  | { kind: 'page'; body: Buffer; header: ReadHeader }
  | { kind: 'redirect'; location: string }
  | { kind: 'not-modified' }
  /** `afterMs` is null without a `Retry-After` header. */
  | { kind: 'busy'; status: number; afterMs: number | null }
  | { kind: 'refused'; status: number };

type ReadHeader = (name: string) => string | null;

const REDIRECTS = [301, 302, 303, 307, 308];
const BUSY = [429, 503];

/** Sends one request. Throws `FetchError`, or the signal's reason. */
export async function requestOnce(url: URL, options: RequestOptions): Promise<FetchResponse> {
  const { dispatcher, limits, isCut, userAgent, headers, json, signal } = options;
  signal?.throwIfAborted();
  const deadlines = startDeadlines(url, limits, signal);
  try {
    const response = await request(url, {
      dispatcher,
      ...(json === undefined ? {} : { method: 'POST', body: json }),
      headers: { accept: '*/*', ...headers, 'user-agent': userAgent, 'accept-encoding': ACCEPTED_CODINGS },
      signal: deadlines.signal,
      // The deadlines replace undici's timeouts.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    deadlines.progressed();
    const { statusCode: status, body } = response;
    const header: ReadHeader = (name) => {
      const value = response.headers[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    };
    if (status >= 200 && status < 300) {
      const maxBytes = limits.bodyBytes;
      if (!isCut && Number(header('content-length')) > maxBytes) throw tooLargeError(url, maxBytes);
      const encoding = header('content-encoding');
      return {
        kind: 'page',
        body: await readBody(body, { url, encoding, maxBytes, isCut, onPart: () => deadlines.progressed() }),
        header,
      };
    }
    // The body is not read; destroying it emits an error.
    body.on('error', () => undefined).destroy();
    const location = header('location');
    if (REDIRECTS.includes(status) && location !== null) return { kind: 'redirect', location };
    if (status === 304) return { kind: 'not-modified' };
    if (BUSY.includes(status)) return { kind: 'busy', status, afterMs: retryAfterMs(header) };
    return { kind: 'refused', status };
  } catch (error) {
    signal?.throwIfAborted();
    throw requestFailure(url, error, limits);
  } finally {
    deadlines.end();
  }
}

/** In seconds, or as a date relative to the server's clock. */
function retryAfterMs(header: ReadHeader): number | null {
  const value = header('retry-after');
  if (value === null) return null;
  if (/^\d+$/.test(value)) return 1_000 * Number(value);
  const ms = Date.parse(value) - Date.parse(header('date') ?? '');
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function requestFailure(url: URL, error: unknown, { headerBytes }: FetchLimits): unknown {
  if (error instanceof FetchError) return error.at(url);
  if (error instanceof errors.HeadersOverflowError)
    return new FetchError(
      'too-large',
      url,
      `its headers are larger than the ${headerBytes.toLocaleString('en')} bytes that they may have; save it, and give the file`,
    );
  if (error instanceof errors.HTTPParserError)
    return new FetchError('unreadable', url, 'it does not answer as the web does; look at its port');
  const code = errorCode(error);
  if (code === null) return error;
  if (code.startsWith('Z_') || code.includes('BROTLI') || code.startsWith('ERR__ERROR'))
    return new FetchError(
      'unreadable',
      url,
      'its encoding is broken or cut off; try again, or save it and give the file',
      true,
    );
  return new FetchError('unreachable', url, `the connection broke off (${code}); try again later`, true);
}

interface Deadlines {
  signal: AbortSignal;
  progressed(): void;
  end(): void;
}

function startDeadlines(
  url: URL,
  { connectMs, headersMs, idleMs, answerMs }: FetchLimits,
  signal: AbortSignal | undefined,
): Deadlines {
  const ended = new AbortController();
  const tooSlow = (what: string, ms: number): NodeJS.Timeout =>
    setTimeout(
      () =>
        ended.abort(
          new FetchError('too-slow', url, `${what} within ${ms / 1_000} seconds; try again later`, true),
        ),
      ms,
    );
  const whole = tooSlow('it was not sent whole', answerMs);
  let next = tooSlow('it sent no headers', connectMs + headersMs);
  return {
    signal: signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]),
    progressed() {
      clearTimeout(next);
      next = tooSlow('it sent nothing further', idleMs);
    },
    end() {
      clearTimeout(whole);
      clearTimeout(next);
    },
  };
}

interface BodyOptions {
  url: URL;
  encoding: string | null;
  maxBytes: number;
  isCut: boolean;
  onPart: () => void;
}

/** Counts bytes before and after decoding, so that memory stays below the limit. Throws `FetchError`. */
async function readBody(
  body: Readable,
  { url, encoding, maxBytes, isCut, onPart }: BodyOptions,
): Promise<Buffer> {
  const decoder = decoderOf(url, encoding);
  const beyond = tooLargeError(url, maxBytes);
  const counted = async function* (parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = maxBytes;
    for await (const part of parts) {
      if (part.length > left && isCut) yield part.subarray(0, left);
      left -= part.length;
      if (left < 0) throw beyond;
      yield part;
    }
  };
  const arriving = async function* (parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of counted(parts)) {
      onPart();
      yield part;
    }
  };
  const kept: Buffer[] = [];
  const keep = async (parts: AsyncIterable<Buffer>): Promise<void> => {
    for await (const part of counted(parts)) kept.push(part);
  };
  try {
    await (decoder === null ? pipeline(body, arriving, keep) : pipeline(body, arriving, decoder, keep));
  } catch (error) {
    if (!isCut || error !== beyond) throw error;
  }
  return Buffer.concat(kept);
}

function tooLargeError(url: URL, maxBytes: number): FetchError {
  const most = `${Math.floor(maxBytes / 1_048_576).toLocaleString('en')} MB`;
  return new FetchError(
    'too-large',
    url,
    `it is larger than the ${most} that a page may have; give a part of it as a file`,
  );
}

function decoderOf(url: URL, encoding: string | null): ReturnType<typeof createGunzip> | null {
  const coding = (encoding ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return null;
  const known = Object.entries(DECODERS).find(([name]) => name === coding);
  if (known === undefined)
    throw new FetchError(
      'unreadable',
      url,
      'it comes in an encoding that was not asked for; save it, and give the file',
    );
  return known[1]();
}

/** Azure's virtual machine agent: a public address that leads to an internal network. */
const AZURE_AGENT = '168.63.129.16';

/** All allocated IPv6 unicast addresses (IANA). Excludes `::/96`, which embeds IPv4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface ConnectorOptions {
  allowed: AllowedHosts;
  connectMs: number;
  resolve: Resolve;
}

const NEXT_ADDRESS_MS = 2_500;

export const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address);

/**
 * Against DNS rebinding: resolves once, checks all addresses, and compares the peer. Literal addresses bypass
 * `lookup`, so the connector is wrapped.
 */
export function guardedConnector(
  { allowed, connectMs, resolve }: ConnectorOptions,
  build: typeof buildConnector = buildConnector,
): buildConnector.connector {
  return (options, callback) => {
    const host = parseUrl(`${options.protocol}//${options.host ?? options.hostname}`);
    if (host === null) return callback(new Error(`no host: ${options.hostname}`), null);
    const connect = async (): Promise<void> => {
      const addresses = await checkedAddresses(host, { allowed, resolve });
      const connector = build({
        timeout: connectMs,
        lookup: fixedLookup(addresses),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      });
      connector(options, (...[error, socket]) => {
        if (error !== null) return callback(unreachableError(host, error), null);
        const peer = canonicalAddress(socket.remoteAddress ?? '');
        if (addresses.includes(peer)) return callback(null, socket);
        socket.destroy();
        callback(
          new FetchError(
            'not-public',
            host,
            `the connection led to ${peer || 'nowhere'}, which was not checked`,
          ),
          null,
        );
      });
    };
    connect().catch((error: unknown) => callback(unreachableError(host, error), null));
  };
}

/** One private address rejects the whole answer, because mixed answers indicate rebinding. */
async function checkedAddresses(
  host: URL,
  { allowed, resolve }: Pick<ConnectorOptions, 'allowed' | 'resolve'>,
): Promise<string[]> {
  const name = host.hostname.replace(/^\[|\]$/g, '');
  const answer = isIP(name) === 0 ? await resolve(name) : [name];
  const addresses = [...new Set(answer.map(canonicalAddress))];
  if (addresses.length === 0) throw new FetchError('unreachable', host, 'its host has no address', true);
  const inside = addresses.find((address) => !isPublicAddress(address));
  if (inside === undefined || allowed.has(hostAndPort(host))) return addresses;
  throw new FetchError(
    'not-public',
    host,
    `it leads to ${inside}, which is no public address; where it is meant, allow ${hostAndPort(host)} by fetch.allow`,
  );
}

/** A lookup that returns the checked addresses only. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = entries;
    if (options.all === true || first === undefined) callback(null, entries);
    else callback(null, first.address, first.family);
  };
}

const NOT_TRUSTED =
  'its certificate is not trusted; an authority of your own is named by NODE_EXTRA_CA_CERTS';

const CONNECT_FAILURES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host is not known; look at how it is spelled',
  EAI_AGAIN: 'its host cannot be looked up now; look at the network, and try again',
  ECONNREFUSED: 'nobody listens there; look at its port, or try again later',
  ERR_TLS_CERT_ALTNAME_INVALID: NOT_TRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  CERT_HAS_EXPIRED: NOT_TRUSTED,
  UND_ERR_CONNECT_TIMEOUT: 'its host does not answer; try again later',
};

function unreachableError(host: URL, error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  const code = errorCode(error) ?? 'unknown';
  const reason = CONNECT_FAILURES[code] ?? `its host cannot be connected to (${code}); try again later`;
  return new FetchError('unreachable', host, reason, code !== 'ENOTFOUND' && reason !== NOT_TRUSTED);
}

/** False for private, local, embedded (mapped, NAT64, 6to4, Teredo) and invalid addresses. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === AZURE_AGENT) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

function canonicalAddress(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.process(address).toNormalizedString();
}

/** Times in milliseconds, each from the previous event. */
export interface FetchLimits {
  connectMs: number;
  headersMs: number;
  idleMs: number;
  /** Limit for a whole response, against servers that send a byte per second. */
  answerMs: number;
  headerBytes: number;
  /** Applies before and after decoding. */
  bodyBytes: number;
  redirects: number;
  /** Maximum `Retry-After` or `Crawl-delay` to wait for. */
  waitMs: number;
  waits: number;
}

export const FETCH_LIMITS: FetchLimits = {
  connectMs: 10_000,
  headersMs: 20_000,
  idleMs: 20_000,
  answerMs: 120_000,
  headerBytes: 32_768,
  bodyBytes: 64 * 1024 * 1024,
  redirects: 5,
  waitMs: 30_000,
  waits: 2,
};
