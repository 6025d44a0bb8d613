import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import type { Secret } from '../../lib/process';
import { isLoopback } from '../../lib/url';

export interface LocalServer {
  /** Such as `Ollama`. */
  kind: string;
  /** Such as `127.0.0.1:11434`. */
  address: string;
  baseUrl: string;
  models: LocalModel[];
  slots: number;
}

export interface LocalModel {
  name: string;
  /** Billions of parameters; null if unknown. */
  size: number | null;
  /** False for embedding and completion models, and for models that another machine runs. */
  isChat: boolean;
  /** Window that the server gives the model, question and answer together; null if unknown. */
  contextTokens: number | null;
}

interface ProbeOptions {
  limitMs: number;
  apiKey?: Secret | null;
}

/** Ollama's default window, if neither the model nor the server sets one. */
const OLLAMA_CONTEXT = 4_096;
const LOADING_MS = 60_000;

const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv4');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** True for addresses of this machine or a private network. Names with a dot count as public. */
export function isPrivateUrl(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version !== 0) return isLoopback(host) || PRIVATE.check(host, version === 4 ? 'ipv4' : 'ipv6');
  return !host.includes('.') || host.endsWith('.local') || host.endsWith('.internal');
}

export async function findLocalServers(
  addresses: readonly string[],
  asking: ProbeOptions,
): Promise<LocalServer[]> {
  const found = await Promise.all(addresses.map((address) => probeServer(`http://${address}`, asking)));
  return found.filter((server) => server !== null);
}

/** Null if no server there lists its models. */
export async function probeServer(baseUrl: string, asking: ProbeOptions): Promise<LocalServer | null> {
  const root = serverRoot(baseUrl);
  const get: GetJson = (path, schema, body) => requestJson(`${root}${path}`, schema, asking, body);
  const described = await Promise.all([
    probeOllama(get),
    probeLmStudio(get),
    probeLlamaCpp(get),
    probeOtherServer(get),
  ]);
  const server = described.find((one) => one !== null);
  if (server === undefined) return null;
  return { ...server, address: new URL(root).host, baseUrl: `${root}/v1` };
}

/** Null if unknown. Ollama's unloaded models get the default window, or are loaded first with `mayLoad`. */
export async function contextWindowOf(
  { kind, baseUrl, models }: LocalServer,
  name: string,
  asking: ProbeOptions,
  { mayLoad = false } = {},
): Promise<number | null> {
  if (kind !== 'Ollama') return models.find((model) => model.name === name)?.contextTokens ?? null;
  const root = serverRoot(baseUrl);
  const loaded = async (): Promise<number | null> => {
    const running = await requestJson(`${root}/api/ps`, OllamaRunning, asking);
    return running?.models.find((model) => isNamed(model, name))?.context_length ?? null;
  };
  const now = await loaded();
  if (now !== null) return now;
  const shown = await requestJson(`${root}/api/show`, OllamaShown, asking, { model: name });
  const trained = trainedContext(shown?.model_info ?? {}) ?? Infinity;
  const set = /^num_ctx\s+(\d+)/m.exec(shown?.parameters ?? '')?.[1];
  if (set !== undefined) return Math.min(Number(set), trained);
  const loading = { ...asking, limitMs: LOADING_MS };
  if (
    mayLoad &&
    (await requestJson(`${root}/api/generate`, z.looseObject({}), loading, { model: name })) !== null
  )
    return (await loaded()) ?? Math.min(OLLAMA_CONTEXT, trained);
  return Math.min(OLLAMA_CONTEXT, trained);
}

/** Ollama may add `:latest` to the name. */
export function findModel(server: LocalServer, name: string): LocalModel | null {
  return server.models.find((model) => isNamed(model, name)) ?? null;
}

export function largestModel(
  servers: readonly LocalServer[],
): { server: LocalServer; model: LocalModel } | null {
  const all = servers.flatMap((server) => server.models.map((model) => ({ server, model })));
  const chat = all.filter(({ model }) => model.isChat);
  // The sort is stable: on a tie, the first listed model wins.
  return chat.sort((a, b) => (b.model.size ?? 0) - (a.model.size ?? 0))[0] ?? null;
}

type GetJson = <Shape>(path: string, schema: z.ZodType<Shape>, body?: object) => Promise<Shape | null>;
type ServerDescription = Pick<LocalServer, 'kind' | 'models' | 'slots'>;

const OllamaVersion = z.object({ version: z.string() });
const OllamaTags = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      remote_host: z.string().optional(),
      capabilities: z.array(z.string()).optional(),
      details: z.object({ family: z.string().optional(), parameter_size: z.string().optional() }).optional(),
    }),
  ),
});
const OllamaRunning = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.int().positive().optional() })),
});
const OllamaShown = z.object({
  parameters: z.string().optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
});

/** https://docs.ollama.com/api */
async function probeOllama(get: GetJson): Promise<ServerDescription | null> {
  const [version, tags] = await Promise.all([
    get('/api/version', OllamaVersion),
    get('/api/tags', OllamaTags),
  ]);
  if (version === null || tags === null) return null;
  const models = tags.models.map(({ name, remote_host, capabilities, details }) => ({
    name,
    size: parseBillions(details?.parameter_size) ?? sizeInName(name),
    isChat:
      remote_host === undefined &&
      (capabilities?.includes('completion') ?? !(details?.family ?? '').includes('bert')) &&
      isChatModel(name),
    contextTokens: null,
  }));
  return { kind: 'Ollama', models, slots: 1 };
}

const LmStudioModels = z.object({
  models: z.array(
    z.object({
      key: z.string(),
      type: z.string(),
      params_string: z.string().nullish(),
      loaded_instances: z.array(
        z.object({ id: z.string(), config: z.object({ context_length: z.int().positive() }) }),
      ),
    }),
  ),
});
const OlderLmStudioModels = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      state: z.string(),
      loaded_context_length: z.int().positive().optional(),
    }),
  ),
});

/** https://lmstudio.ai/docs/developer/rest: v1 since 0.4.0, v0 before. Only loaded models have a window. */
async function probeLmStudio(get: GetJson): Promise<ServerDescription | null> {
  const [newer, older] = await Promise.all([
    get('/api/v1/models', LmStudioModels),
    get('/api/v0/models', OlderLmStudioModels),
  ]);
  const models =
    newer?.models.map(({ key, type, params_string, loaded_instances }) => ({
      name: key,
      size: parseBillions(params_string) ?? sizeInName(key),
      isChat: type !== 'embedding' && isChatModel(key),
      contextTokens: loaded_instances[0]?.config.context_length ?? null,
    })) ??
    older?.data.map(({ id, type, loaded_context_length }) => ({
      name: id,
      size: sizeInName(id),
      isChat: type !== 'embeddings' && isChatModel(id),
      contextTokens: loaded_context_length ?? null,
    }));
  return models === undefined ? null : { kind: 'LM Studio', models, slots: 1 };
}

const LlamaCppProps = z.object({
  default_generation_settings: z.object({ n_ctx: z.int().positive() }),
  total_slots: z.int().positive().optional(),
});
const ListedModels = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      owned_by: z.string().optional(),
      max_model_len: z.int().positive().nullish(),
      meta: z.object({ n_params: z.number().optional() }).nullish(),
    }),
  ),
});

/** https://github.com/ggml-org/llama.cpp/tree/master/tools/server: `n_ctx` is the window of one slot. */
async function probeLlamaCpp(get: GetJson): Promise<ServerDescription | null> {
  const [props, listed] = await Promise.all([get('/props', LlamaCppProps), get('/v1/models', ListedModels)]);
  if (props === null || listed === null) return null;
  const contextTokens = props.default_generation_settings.n_ctx;
  const models = listed.data.map(({ id, meta }) => ({
    name: id,
    size: meta?.n_params === undefined ? sizeInName(id) : meta.n_params / 1e9,
    isChat: isChatModel(id),
    contextTokens,
  }));
  return { kind: 'llama.cpp', models, slots: props.total_slots ?? 1 };
}

const OWNERS: Readonly<Record<string, string>> = {
  me: 'llama-cpp-python',
  llamacpp: 'llama.cpp',
  vllm: 'vLLM',
};

async function probeOtherServer(get: GetJson): Promise<ServerDescription | null> {
  const listed = await get('/v1/models', ListedModels);
  if (listed === null) return null;
  const models = listed.data.map(({ id, max_model_len }) => ({
    name: id,
    size: sizeInName(id),
    isChat: isChatModel(id),
    contextTokens: max_model_len ?? null,
  }));
  const kind = OWNERS[listed.data[0]?.owned_by ?? ''] ?? 'a server with the API of OpenAI';
  return { kind, models, slots: 1 };
}

/** Null for any failure. */
async function requestJson<Shape>(
  url: string,
  schema: z.ZodType<Shape>,
  { limitMs, apiKey }: ProbeOptions,
  body?: object,
): Promise<Shape | null> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(limitMs),
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        ...(apiKey ? { authorization: `Bearer ${apiKey.reveal()}` } : {}),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify({ ...body, stream: false }) }),
    });
    const answer: unknown = await response.json();
    return response.ok ? (schema.safeParse(answer).data ?? null) : null;
  } catch {
    return null;
  }
}

function serverRoot(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`;
}

function isNamed(model: Pick<LocalModel, 'name'>, name: string): boolean {
  return model.name === name || model.name === `${name}:latest`;
}

function isChatModel(name: string): boolean {
  return !/embed|rerank|(?:^|[-_:/])(?:base|text)(?:[-_:.]|$)|whisper/i.test(name);
}

/** `8.0B`, `270M`, `1.5T` in billions. */
function parseBillions(text: string | null | undefined): number | null {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMBT])$/i.exec(text?.trim() ?? '') ?? [];
  if (number === undefined || unit === undefined) return null;
  return Number(number) * ({ K: 1e-6, M: 1e-3, B: 1, T: 1e3 }[unit.toUpperCase()] ?? 1);
}

/** `llama3.1:8b`, `qwen2.5-0.5b-instruct`, `smollm2-135m`, `mixtral-8x7b`. */
function sizeInName(name: string): number | null {
  const [, times = '1', number, unit] =
    /(?:^|[^a-z0-9.])(?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])/i.exec(name) ?? [];
  return number === undefined
    ? null
    : Number(times) * Number(number) * (unit?.toLowerCase() === 'm' ? 1e-3 : 1);
}

function trainedContext(modelInfo: Readonly<Record<string, unknown>>): number | null {
  const found = Object.entries(modelInfo).find(([key]) => key.endsWith('.context_length'))?.[1];
  return typeof found === 'number' && found > 0 ? found : null;
}
