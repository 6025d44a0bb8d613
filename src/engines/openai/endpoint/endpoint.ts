import OpenAI from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { isAboutModel } from './endpoint-complaint-kind';
import { LONGEST_TIMER_MS } from './endpoint-deadline';
import { endpointFetch } from './endpoint-fetch';
import { complaintOfError } from '../as-model-failure';
import { WebPageError } from '../web-page-error';

export interface Endpoint {
  /** Where it is, as far as is known. */
  readonly address: string;
  complete(body: ChatCompletionCreateParams, signal: AbortSignal): Promise<Response>;
  embed(body: { model: string; input: string[] }, signal: AbortSignal): Promise<Response>;
  models(signal: AbortSignal): Promise<Response>;
}

export function openEndpoint(baseUrl: string, apiKey: string | null, maxBytes: number): Endpoint {
  const { paths, query } = apiAddresses(baseUrl);
  const fetch = endpointFetch(maxBytes);
  const likely = libraryClient(paths[0], query, apiKey, fetch);
  const other = libraryClient(paths[1], query, apiKey, fetch);
  let settled: OpenAI | null = null;

  const sendTo = async (api: OpenAI, request: (api: OpenAI) => Promise<Response>): Promise<Response> => {
    const response = await request(api);
    await refuseWebPage(response);
    settled = api;
    return response;
  };

  /** Tries the other address where nothing is at the first, and stays with what answers. */
  const send = async (request: (api: OpenAI) => Promise<Response>): Promise<Response> => {
    try {
      return await sendTo(settled ?? likely, request);
    } catch (error) {
      if (settled !== null || !isNothingThere(error)) throw error;
      return sendTo(other, request).catch((second: unknown) => {
        throw isNothingThere(second) ? error : second;
      });
    }
  };

  return {
    get address() {
      return paths[settled === other ? 1 : 0];
    },
    complete: (body, signal) => send((api) => api.chat.completions.create(body, { signal }).asResponse()),
    // As numbers: the library asks for base64 by itself, which some servers do not know.
    embed: (body, signal) => send((api) => api.post('/embeddings', { body, signal }).asResponse()),
    models: (signal) => send((api) => api.get('/models', { signal }).asResponse()),
  };
}

/** Nothing of the library's own comes from the environment, is tried again, timed or logged. */
function libraryClient(
  baseURL: string,
  defaultQuery: Record<string, string>,
  apiKey: string | null,
  fetch: ReturnType<typeof endpointFetch>,
): OpenAI {
  return new OpenAI({
    baseURL,
    defaultQuery,
    fetch,
    // It insists on a key; without one, the header is left out.
    apiKey: apiKey ?? 'none',
    defaultHeaders: { Authorization: apiKey === null ? null : `Bearer ${apiKey}`, 'User-Agent': 'colligate' },
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: LONGEST_TIMER_MS,
    logLevel: 'off',
  });
}

async function refuseWebPage(response: Response): Promise<void> {
  if (!/^\s*text\/html/i.test(response.headers.get('content-type') ?? '')) return;
  await response.body?.cancel();
  throw new WebPageError();
}

function isNothingThere(error: unknown): boolean {
  if (error instanceof WebPageError) return true;
  const complaint = complaintOfError(error);
  if (complaint === null || isAboutModel(complaint)) return false;
  return complaint.status === 404 || complaint.status === 405;
}

interface ApiAddresses {
  /** Most likely first; the same API is at one of them. */
  paths: readonly [string, string];
  /** What the address had after its question mark; some gateways want a version there. */
  query: Record<string, string>;
}

/** People write an API's address with and without `/v1`, with a slash at its end, and with the path of a request. */
function apiAddresses(baseUrl: string): ApiAddresses {
  const url = new URL(baseUrl);
  const query = Object.fromEntries(url.searchParams);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  const hasVersion = /\/v\d+[a-z]*\d*$/.test(path);
  const without = hasVersion ? path.slice(0, path.lastIndexOf('/')) : path;
  const withVersion = hasVersion ? path : `${path}/v1`;
  // A bare host is nearly always the server of an API at /v1; any other path was written on purpose.
  const [first, second] = hasVersion || path === '' ? [withVersion, without] : [without, withVersion];
  return { paths: [`${url.origin}${first}`, `${url.origin}${second}`], query };
}
