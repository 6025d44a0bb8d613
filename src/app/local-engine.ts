import { capabilitiesOf } from '../contracts/pipeline';
import type { PriceTable } from '../contracts/run-input';
import {
  contextWindowOf,
  findLocalServers,
  findModel,
  isPrivateUrl,
  largestModel,
  type LocalServer,
  probeServer,
} from '../engines/openai/local-servers';
import { formatCount, groupedDigits } from '../lib/strings';
import type { Config, LocalModels } from './config';

const LIMIT_MS = 2_000;
/** Shorter, because the user did not ask for a local engine. */
const HINT_MS = 300;
const MAX_LISTED = 8;

/** No local model fits the request. CLI exit code 2. */
export class NoLocalModelError extends Error {
  override readonly name = 'NoLocalModelError';
}

interface LocalEngineOptions {
  tell: (line: string) => void;
  /** True if Ollama may load the model to report its context window, as the first call does. */
  mayLoad: boolean;
}

/**
 * Adds endpoint, models and parallel calls for the engine `local`, and context windows for endpoints in a private
 * network. Settings take precedence. Throws `NoLocalModelError`.
 */
export async function withLocalModels(config: Config, options: LocalEngineOptions): Promise<Config> {
  if (config.localModels !== null) return withLocalServer(config, config.localModels, options);
  const { baseUrl, apiKey } = config.openai;
  if (!capabilitiesOf(config.engine).asksModels || baseUrl === null || !isPrivateUrl(baseUrl)) return config;
  if (namesWithoutWindow(config).length === 0) return config;
  const server = await probeServer(baseUrl, { limitMs: LIMIT_MS, apiKey });
  return server === null ? config : withWindows(config, server, options.mayLoad);
}

export interface FoundServer {
  kind: string;
  address: string;
  models: string[];
  largest: string | null;
}

export async function localServers({ local }: Config): Promise<FoundServer[]> {
  const servers = await findLocalServers(local.servers, { limitMs: LIMIT_MS });
  return servers.map((server) => ({
    kind: server.kind,
    address: server.address,
    models: server.models.map(({ name }) => name),
    largest: largestModel([server])?.model.name ?? null,
  }));
}

/** Suggests `--engine local` if no engine is set and a local server answers within 300 ms, else null. */
export async function localHint({ isEngineUnchosen, local }: Config): Promise<string | null> {
  if (!isEngineUnchosen) return null;
  const servers = await findLocalServers(local.servers, { limitMs: HINT_MS });
  const server = servers.find(({ models }) => models.some(({ isChat }) => isChat));
  if (server === undefined) return null;
  const models = formatCount(server.models.filter(({ isChat }) => isChat).length, 'model');
  return `${server.kind} is running here with ${models}; --engine local uses it.`;
}

async function withLocalServer(
  config: Config,
  wanted: LocalModels,
  options: LocalEngineOptions,
): Promise<Config> {
  const { servers: addresses } = config.local;
  const servers = await findLocalServers(addresses, { limitMs: LIMIT_MS });
  const { server, models } = chooseModels(servers, wanted, addresses);
  const { embedding } = config.openai.models;
  const resolved = await withWindows(
    {
      ...config,
      openai: {
        ...config.openai,
        baseUrl: server.baseUrl,
        models: {
          ...models,
          embedding: embedding === null || findModel(server, embedding) === null ? null : embedding,
        },
        maxConcurrentCalls: wanted.maxConcurrentCalls ?? server.slots,
        prices: { ...pricesOf(models), ...config.openai.prices },
      },
    },
    server,
    options.mayLoad,
  );
  options.tell(describeChoice(resolved, server));
  return resolved;
}

function pricesOf(models: Models): PriceTable {
  return Object.fromEntries(Object.values(models).map((name) => [name, { input: 0, output: 0 }]));
}

type Models = Record<'fast' | 'strong' | 'critic', string>;

function chooseModels(
  servers: readonly LocalServer[],
  { names }: LocalModels,
  addresses: readonly string[],
): { server: LocalServer; models: Models } {
  if (servers.length === 0)
    throw new NoLocalModelError(
      `No server of models answers on this machine: looked at ${addresses.join(', ')} for Ollama, LM Studio and llama.cpp. ` +
        'Start one ("ollama serve" and "ollama pull llama3.1:8b"), name its address by COLLIGATE_LOCAL_SERVERS, or leave out --engine local.',
    );
  const named = [names.strong, names.fast, names.critic].filter((name) => name !== null);
  const [first] = named;
  if (first === undefined) {
    const largest = largestModel(servers);
    if (largest !== null) {
      const { name } = largest.model;
      return { server: largest.server, models: { fast: name, strong: name, critic: name } };
    }
    throw new NoLocalModelError(
      `${servers.map(({ kind, address }) => `${kind} (${address})`).join(' and ')} has no model that answers questions. Get one, such as "ollama pull llama3.1:8b".`,
    );
  }
  const server = servers.find((one) => named.every((name) => findModel(one, name) !== null));
  if (server === undefined)
    throw new NoLocalModelError(
      `No server of models on this machine has ${[...new Set(named)].join(' and ')}. ${servers.map(describeServer).join(' ')} Name one of these by --model.`,
    );
  const nameAt = (name: string | null): string => findModel(server, name ?? first)?.name ?? first;
  return {
    server,
    models: {
      fast: nameAt(names.fast),
      strong: nameAt(names.strong),
      critic: nameAt(names.critic ?? names.strong),
    },
  };
}

function describeServer({ kind, address, models }: LocalServer): string {
  const names = models.slice(0, MAX_LISTED).map(({ name }) => name);
  const more = models.length > MAX_LISTED ? ` and ${models.length - MAX_LISTED} more` : '';
  return `${kind} (${address}) has ${names.length === 0 ? 'none' : `${names.join(', ')}${more}`}.`;
}

function namesWithoutWindow({ openai, answers, synthesis }: Config): string[] {
  const { fast, strong, critic } = openai.models;
  const names = [fast, strong, critic, answers.model, synthesis.overviewModel, synthesis.deepdiveModel];
  return [...new Set(names)].flatMap((name) =>
    name === null || Object.hasOwn(openai.contextTokens, name) ? [] : [name],
  );
}

async function withWindows(config: Config, server: LocalServer, mayLoad: boolean): Promise<Config> {
  const { apiKey } = config.openai;
  const contextTokens = { ...config.openai.contextTokens };
  for (const name of namesWithoutWindow(config)) {
    const tokens = await contextWindowOf(server, name, { limitMs: LIMIT_MS, apiKey }, { mayLoad });
    if (tokens !== null) contextTokens[name] = tokens;
  }
  return { ...config, openai: { ...config.openai, contextTokens } };
}

function describeChoice({ openai }: Config, { kind, address }: LocalServer): string {
  const { fast, strong } = openai.models;
  const models = fast === strong ? `${strong}` : `${fast} and ${strong}`;
  const tokens = openai.contextTokens[strong ?? ''];
  const window =
    tokens === undefined ? 'its context not known' : `${groupedDigits(tokens)} tokens of context`;
  const calls = openai.maxConcurrentCalls === 1 ? 'one call' : `${openai.maxConcurrentCalls} calls`;
  return `Using ${models} at ${kind} (${address}), ${window}, ${calls} at a time.`;
}
