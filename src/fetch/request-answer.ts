import { errors, request, type Dispatcher } from 'undici';
import { errorCode } from '../platform/error-code';
import { FetchError } from './fetch-error';
import type { FetchLimits } from './fetch-limits';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

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
