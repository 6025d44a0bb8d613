import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { errorCode } from '../../../platform/error-code';
import { ConnectionFailure } from '../connection-failure';
import { complaintOf } from './endpoint-complaint';
import { ModelFailure } from '../../model/port/model-failure';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** All that an endpoint is told; the client library would add what it runs on, and headers of the environment's. */
const SENT_HEADERS = ['accept', 'authorization', 'content-type', 'user-agent'];

const MAX_ERROR_BYTES = 65_536;

const CONNECT_TIMEOUT_MS = 20_000;

/** How long one of several addresses of a host may take, before the next is tried too. Node's 250 ms is less than a slow network's round trip. */
const ADDRESS_TIMEOUT_MS = 2_500;

/**
 * What the client library sends its requests with. Node's own `fetch` gives up after five minutes without headers,
 * which a long prompt on a small machine exceeds; here, only the caller's signal ends a request. Redirects are not
 * followed: a prompt goes where the user said and nowhere else. A connection is used once, because one that the
 * server has just closed would fail a call. A body is read up to `maxBytes`, an error's comes as a `Complaint`.
 */
export function endpointFetch(maxBytes: number): Fetch {
  return async (input, init = {}) => {
    const response = await sent(new URL(input instanceof Request ? input.url : input), init);
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 599) {
      response.destroy();
      throw new ConnectionFailure(`HTTP ${status}`);
    }
    const headers = headersOf(response);
    if (status >= 200 && status < 300) {
      const empty = status === 204 || status === 205;
      if (empty) response.resume();
      return new Response(empty ? null : boundedBody(response, maxBytes), { status, headers });
    }
    const complaint = complaintOf(status, await beginningOf(response));
    // 304 may have no body, and Response insists.
    return new Response(status === 304 ? null : JSON.stringify({ error: complaint }), { status, headers });
  };
}

function sent(url: URL, init: RequestInit): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:';
  const given = new Headers(init.headers);
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  for (const name of SENT_HEADERS) {
    const value = given.get(name);
    if (value !== null) headers[name] = value;
  }
  // The library gives a JSON text; nothing else is sent to a model.
  const body = typeof init.body === 'string' ? Buffer.from(init.body) : null;
  if (body) headers['content-length'] = String(body.length);
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(url, {
      method: init.method ?? 'GET',
      headers,
      agent: new (secure ? HttpsAgent : HttpAgent)({ autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS }),
      ...(init.signal ? { signal: init.signal } : {}),
    });
    const connecting = setTimeout(
      () => request.destroy(new ConnectionFailure('ETIMEDOUT')),
      CONNECT_TIMEOUT_MS,
    );
    request.once('socket', (socket) =>
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting)),
    );
    request.once('close', () => clearTimeout(connecting));
    request.once('response', resolve);
    request.on('error', (error) => reject(connectionFailure(error)));
    request.end(body ?? undefined);
  });
}

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

function boundedBody(response: IncomingMessage, maxBytes: number): ReadableStream<Uint8Array> {
  // Without an encoding set, a message's chunks are Buffers.
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next().catch((error: unknown) => {
        throw connectionFailure(error);
      });
      if (next.done === true) {
        controller.close();
        return;
      }
      bytes += next.value.length;
      if (bytes > maxBytes) {
        response.destroy();
        throw new ModelFailure(
          'malformed-response',
          `The endpoint's answer is over ${maxBytes} bytes, more than any answer has; it was not read further.`,
          { retryable: false },
        );
      }
      controller.enqueue(next.value);
    },
    cancel() {
      response.destroy();
    },
  });
}

/** As much as came, where the rest did not: the status alone says a lot. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      const buffer = chunk as Buffer;
      chunks.push(buffer);
      bytes += buffer.length;
      if (bytes >= MAX_ERROR_BYTES) break;
    }
  } catch (error) {
    if (errorCode(error) === null) throw error;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES).toString('utf8');
}

function connectionFailure(error: unknown): ConnectionFailure {
  return error instanceof ConnectionFailure ? error : new ConnectionFailure(errorCode(error) ?? 'unknown');
}
