import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { buildConnector, type Dispatcher, errors, request } from 'undici';
import { errorCode } from '../lib/errors';
import { parsedUrl } from '../lib/url';
import { type AllowedHosts, FetchError, hostAndPort } from './fetch-address';

/** Those that Node 20 decodes; a server may send no other, as it is told of no other. */
const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

const ACCEPTED_CODINGS = 'gzip, br, deflate';

export interface AnswerOptions {
  dispatcher: Dispatcher;
  limits: FetchLimits;
  /** Whether of a body that is too large the start is read, instead of none of it. */
  isCut: boolean;
  userAgent: string;
  /** Besides our own; names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Posted as JSON; a request without one only asks. */
  json: string | undefined;
  signal: AbortSignal | undefined;
}

/** One answer of a server, and nothing that follows from it: redirects, waiting and rules are the fetcher's. */
export type Answer =
  | { kind: 'page'; body: Buffer; header: ReadHeader }
  | { kind: 'redirect'; location: string }
  | { kind: 'not-modified' }
  /** `afterMs` is null where it does not say when to come back. */
  | { kind: 'busy'; status: number; afterMs: number | null }
  | { kind: 'refused'; status: number };

type ReadHeader = (name: string) => string | null;

const REDIRECTS = [301, 302, 303, 307, 308];
const BUSY = [429, 503];

/** Asks once. Throws `FetchError`, or the reason of the signal. */
export async function requestAnswer(url: URL, options: AnswerOptions): Promise<Answer> {
  const { dispatcher, limits, isCut, userAgent, headers, json, signal } = options;
  signal?.throwIfAborted();
  const deadlines = startDeadlines(url, limits, signal);
  try {
    const response = await request(url, {
      dispatcher,
      ...(json === undefined ? {} : { method: 'POST', body: json }),
      headers: { accept: '*/*', ...headers, 'user-agent': userAgent, 'accept-encoding': ACCEPTED_CODINGS },
      signal: deadlines.signal,
      // Ended by our own deadlines alone.
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
      if (!isCut && Number(header('content-length')) > maxBytes) throw tooLarge(url, maxBytes);
      const encoding = header('content-encoding');
      return {
        kind: 'page',
        body: await readBody(body, { url, encoding, maxBytes, isCut, onPart: () => deadlines.progressed() }),
        header,
      };
    }
    // Of anything but a page the body is not read, which the body would tell as an error.
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

/** Seconds, or a date that is reckoned from the server's own. */
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

interface AnswerDeadlines {
  /** Aborts with a `FetchError`, or with the caller's reason. */
  signal: AbortSignal;
  /** Headers or a part of the body have come. */
  progressed(): void;
  end(): void;
}

function startDeadlines(
  url: URL,
  { connectMs, headersMs, idleMs, answerMs }: FetchLimits,
  signal: AbortSignal | undefined,
): AnswerDeadlines {
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
  /** The header `Content-Encoding`. */
  encoding: string | null;
  maxBytes: number;
  /** Whether of a body that is too large the start is read, instead of none of it. */
  isCut: boolean;
  onPart: () => void;
}

/** A body's bytes, decoded. They are counted on both sides as they come, so that no more than the cap is ever held. Throws `FetchError`. */
async function readBody(
  body: Readable,
  { url, encoding, maxBytes, isCut, onPart }: BodyOptions,
): Promise<Buffer> {
  const decoder = decoderOf(url, encoding);
  const beyond = tooLarge(url, maxBytes);
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

function tooLarge(url: URL, maxBytes: number): FetchError {
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

/** Azure's agent of every virtual machine: an address of the public range that leads into the machine's own network. */
const INSIDE_AZURE = '168.63.129.16';

/** All that is given out of IPv6 (IANA); `::/96`, which holds IPv4 addresses, and whatever a range forgets lie outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface ConnectorOptions {
  allowed: AllowedHosts;
  connectMs: number;
  resolve: Resolve;
}

/** One of several addresses of a host may take so long before the next is tried too. */
const NEXT_ADDRESS_MS = 2_500;

/** As the system resolves names, its hosts file included. */
export const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address);

/**
 * Opens the socket of a request. A name is resolved once, every address of the answer is checked, and the socket may go to these
 * alone; whom it has reached is looked at before the request is written. An address in the place of a name is resolved by nobody,
 * which is why the whole connector is wrapped and not its lookup.
 */
export function guardedConnector(
  { allowed, connectMs, resolve }: ConnectorOptions,
  build: typeof buildConnector = buildConnector,
): buildConnector.connector {
  return (options, callback) => {
    const host = parsedUrl(`${options.protocol}//${options.host ?? options.hostname}`);
    if (host === null) return callback(new Error(`no host: ${options.hostname}`), null);
    const connect = async (): Promise<void> => {
      const addresses = await checkedAddresses(host, { allowed, resolve });
      const connector = build({
        timeout: connectMs,
        lookup: answering(addresses),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      });
      connector(options, (...[error, socket]) => {
        if (error !== null) return callback(unreachable(host, error), null);
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
    connect().catch((error: unknown) => callback(unreachable(host, error), null));
  };
}

/** All addresses of a host, each in its one spelling. One that is not public refuses all of them: answers that mix are made to be mixed up. */
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

/** Answers with what was checked, and asks nobody. */
function answering(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = entries;
    if (options.all === true || first === undefined) callback(null, entries);
    else callback(null, first.address, first.family);
  };
}

const NOT_TRUSTED =
  'its certificate is not trusted; an authority of your own is named by NODE_EXTRA_CA_CERTS';

const REASONS: Readonly<Record<string, string>> = {
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

function unreachable(host: URL, error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  const code = errorCode(error) ?? 'unknown';
  const reason = REASONS[code] ?? `its host cannot be connected to (${code}); try again later`;
  return new FetchError('unreachable', host, reason, code !== 'ENOTFOUND' && reason !== NOT_TRUSTED);
}

/**
 * Whether an IP address is one of the public internet: neither this machine, its network, a provider's inside, nor an address
 * that holds another one (mapped, NAT64, 6to4, Teredo). What is no IP address is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === INSIDE_AZURE) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** One spelling for one address: mapped IPv4 is IPv4. What is no IP address comes back as it is. */
function canonicalAddress(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.process(address).toNormalizedString();
}

/** What one page may take. Times in milliseconds, each from the event before it. */
export interface FetchLimits {
  connectMs: number;
  /** From the request to the last header of the answer. */
  headersMs: number;
  /** Between two parts of the body. */
  idleMs: number;
  /** For one answer, from the request to its last byte: who sends a byte a second is never idle. */
  answerMs: number;
  headerBytes: number;
  /** As sent, and as decoded: a small body can inflate to anything. */
  bodyBytes: number;
  redirects: number;
  /** The longest `Retry-After` or `Crawl-delay` that is waited for. */
  waitMs: number;
  /** How often a server may ask to come back later. */
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
