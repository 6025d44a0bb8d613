import OpenAI, { APIError } from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { Agent, type Dispatcher, request } from 'undici';
import { tryParseJson } from '../../lib/json';
import { isUnknownModelError, parseErrorResponse } from './complaints';

export interface Connection {
  /** Without the query. Tentative until the first answer. */
  readonly address: string;
  readonly maxBytes: number;
  complete(
    body: ChatCompletionCreateParams,
    signal: AbortSignal,
  ): Promise<{ response: Response; api: OpenAI }>;
  embed(body: { model: string; input: string[] }, signal: AbortSignal): Promise<Response>;
  models(signal: AbortSignal): Promise<Response>;
}

export class WebPageError extends Error {
  override readonly name = 'WebPageError';
}

/** In milliseconds. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Excludes headers that the SDK adds about its platform and from the environment. */
const SENT_HEADERS = ['accept', 'api-key', 'authorization', 'content-type', 'user-agent'];

const MAX_ERROR_BYTES = 65_536;

const CONNECT_TIMEOUT_MS = 20_000;

/** Limit per IP address of a host. Node's default of 250 ms is shorter than the round trip of a slow network. */
const ADDRESS_TIMEOUT_MS = 2_500;

/** Statuses whose `Response` must not have a body. */
const BODILESS_STATUSES = [204, 205, 304];

type KeyHeader = 'authorization' | 'api-key';

/** Finds the address with or without `/v1`. Throws the SDK's errors, with the whole response body as `error`. */
export function connect(baseUrl: string, apiKey: string | null, maxBytes: number): Connection {
  const { paths, query } = apiAddresses(baseUrl);
  const fetch = createEndpointFetch(maxBytes);
  const isAzure = isAzureAddress(paths[0]);
  let settled: number | null = null;
  let keyHeader: KeyHeader = isAzure && !isEntraToken(apiKey) ? 'api-key' : 'authorization';

  const attempt = async (at: number, header: KeyHeader, ask: Ask): Promise<Answered> => {
    const api = createSdkClient({ baseURL: paths[at] ?? paths[0], query, apiKey, header, fetch });
    const response = await ask(api);
    if (/^\s*text\/html/i.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      throw new WebPageError();
    }
    return { response, api };
  };

  /** Retries once with the other header if Azure rejects the key, and keeps the accepted one. */
  const withKey = async (at: number, ask: Ask): Promise<Answered> => {
    const used = keyHeader;
    try {
      return await attempt(at, used, ask);
    } catch (error) {
      if (apiKey === null || !isKeyRefused(error) || !(isAzure || namesAzureKey(error))) throw error;
      const other = used === 'api-key' ? 'authorization' : 'api-key';
      const answered = await attempt(at, other, ask).catch((second: unknown) => {
        throw isKeyRefused(second) ? error : second;
      });
      keyHeader = other;
      return answered;
    }
  };

  const send = async (ask: Ask): Promise<Answered> => {
    const first = settled ?? 0;
    try {
      const answered = await withKey(first, ask);
      settled = first;
      return answered;
    } catch (error) {
      if (settled !== null || !isWrongAddress(error)) throw error;
      const answered = await withKey(1, ask).catch((second: unknown) => {
        throw isWrongAddress(second) ? error : second;
      });
      settled = 1;
      return answered;
    }
  };

  return {
    get address() {
      return paths[settled ?? 0] ?? paths[0];
    },
    maxBytes,
    complete: (body, signal) => send((api) => api.chat.completions.create(body, { signal }).asResponse()),
    // The SDK's method requests base64, which some servers do not support.
    embed: async (body, signal) =>
      (await send((api) => api.post('/embeddings', { body, signal }).asResponse())).response,
    models: async (signal) => (await send((api) => api.get('/models', { signal }).asResponse())).response,
  };
}

/** True for Azure OpenAI, Azure AI Foundry, and gateways that keep Azure's classic path. */
export function isAzureAddress(address: string): boolean {
  const { hostname, pathname } = new URL(address);
  return (
    /\.(?:openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/.test(hostname) ||
    /\/openai\/deployments\//.test(pathname)
  );
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
type Ask = (api: OpenAI) => Promise<Response>;
interface Answered {
  response: Response;
  api: OpenAI;
}

/**
 * Node's `fetch` gives up after 5 minutes without headers, which long prompts exceed. Redirects are not followed, so
 * that prompts go nowhere else. No connection is reused, because the server may have closed it.
 */
function createEndpointFetch(maxBytes: number): Fetch {
  const dispatcher = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 0,
    maxResponseSize: maxBytes,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
  return async (input, init = {}) => {
    const given = new Headers(init.headers);
    const sent = SENT_HEADERS.flatMap((name) => {
      const value = given.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const response = await request(input instanceof Request ? input.url : input, {
      dispatcher,
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: { 'accept-encoding': 'identity', ...Object.fromEntries(sent) },
      body: typeof init.body === 'string' ? init.body : null,
      signal: init.signal ?? null,
    });
    const { statusCode: status, body } = response;
    const headers = headersOf(response);
    if (status >= 200 && status < 300) {
      if (BODILESS_STATUSES.includes(status)) await body.dump();
      const stream = BODILESS_STATUSES.includes(status) ? null : toWebStream(body);
      return new Response(stream, { status, headers });
    }
    const said = await readBeginning(body);
    // The SDK keeps only the content of `error`.
    const error = JSON.stringify({ error: tryParseJson(said) ?? said });
    return new Response(BODILESS_STATUSES.includes(status) ? null : error, { status, headers });
  };
}

/** `ReadableStream.from` waits for the next chunk before it cancels. */
function toWebStream(body: Dispatcher.ResponseData['body']): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next: IteratorResult<Buffer> = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: () => void body.destroy(),
  });
}

function headersOf({ headers }: Dispatcher.ResponseData): Headers {
  const read = new Headers();
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values ?? []].flat()) read.append(name, value);
  }
  return read;
}

/** A partial body is enough, because the status says most. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ERROR_BYTES) break;
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES).toString('utf8');
}

function createSdkClient(settings: {
  baseURL: string;
  query: Record<string, string>;
  apiKey: string | null;
  header: KeyHeader;
  fetch: Fetch;
}): OpenAI {
  const { baseURL, query, apiKey, header, fetch } = settings;
  const isBearer = header === 'authorization' && apiKey !== null;
  return new OpenAI({
    baseURL,
    defaultQuery: query,
    fetch,
    // The SDK requires a key. Without one, the header is left out.
    apiKey: apiKey ?? 'none',
    defaultHeaders: {
      Authorization: isBearer ? `Bearer ${apiKey}` : null,
      'api-key': header === 'api-key' ? apiKey : null,
      'User-Agent': 'colligate',
    },
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: MAX_TIMER_MS,
    logLevel: 'off',
  });
}

/** True for a token of Microsoft Entra, which Azure accepts only as a bearer. */
function isEntraToken(apiKey: string | null): boolean {
  return apiKey !== null && /^eyJ[\w-]*\.[\w-]+\./.test(apiKey);
}

function isKeyRefused(error: unknown): boolean {
  return error instanceof APIError && error.status === 401;
}

function namesAzureKey(error: unknown): boolean {
  return /subscription key|api-key|azure/.test(parseErrorResponse(error)?.words ?? '');
}

function isWrongAddress(error: unknown): boolean {
  if (error instanceof WebPageError) return true;
  const complaint = parseErrorResponse(error);
  if (complaint === null || isUnknownModelError(complaint)) return false;
  return complaint.status === 404 || complaint.status === 405;
}

/** Most likely first. Users write the address with and without `/v1`, or with the path of a request. */
function apiAddresses(baseUrl: string): { paths: readonly [string, string]; query: Record<string, string> } {
  const url = new URL(baseUrl);
  const query = Object.fromEntries(url.searchParams);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  if (isAzureAddress(baseUrl) && /^(?:\/openai)?$/.test(path))
    return { paths: [`${url.origin}/openai/v1`, `${url.origin}${path}`], query };
  const hasVersion = /\/v\d+[a-z]*\d*$/.test(path);
  const without = hasVersion ? path.slice(0, path.lastIndexOf('/')) : path;
  const withVersion = hasVersion ? path : `${path}/v1`;
  // A bare host usually serves its API at `/v1`. Any other path is deliberate.
  const [first, second] = hasVersion || path === '' ? [withVersion, without] : [without, withVersion];
  return { paths: [`${url.origin}${first}`, `${url.origin}${second}`], query };
}
