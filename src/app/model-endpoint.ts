import { capabilitiesOf, engineNames } from '../contracts/pipeline';
import type { EngineName } from '../contracts/run';
import { type EngineSettings, type ExternalSettings, modelChoices } from '../contracts/settings';
import type { ClientLimits, Embedder, Engine, EngineModule } from '../engines/engine';
import { extractiveModule } from '../engines/extractive/module';
import { jsonFromAnswer } from '../engines/model/json-answer';
import {
  type ModelClient,
  ModelFailure,
  type ModelFailureKind,
  type ModelMessage,
  type ModelRequest,
  type ModelResponse,
  OUTPUT_MODES,
  type OutputMode,
  withoutThinking,
} from '../engines/model/port';
import type { RateLimiters } from '../engines/model/rate-limiter';
import { openAiModule } from '../engines/openai/module';
import type { ThreadPool } from '../engines/thread-pool';
import { errorMessage } from '../lib/errors';
import type { Stores } from '../stores/stores';
import type { Config } from './config';
import { otlpTargets } from './tracing';

// Creates the engines of the configuration and checks their endpoints.

export type Engines = Partial<Record<EngineName, Engine>>;

const engineModules: Readonly<Record<EngineName, EngineModule>> = {
  extractive: extractiveModule,
  openai: openAiModule,
};

interface EngineParts {
  threads: ThreadPool;
  stores: Pick<Stores, 'responses' | 'secrets'>;
  paces: RateLimiters;
}

export async function createEngines(config: EngineSettings, parts: EngineParts): Promise<Engines> {
  const engines: Engines = {};
  for (const name of engineNames) {
    const engine = await createEngine(name, config, parts);
    if (engine !== null) engines[name] = engine;
  }
  return engines;
}

export function createEngine(
  name: EngineName,
  config: EngineSettings,
  { threads, stores, paces }: EngineParts,
): Promise<Engine | null> {
  return engineModules[name].create(config, {
    threads,
    paces,
    responses: stores.responses,
    promptSecret: () => stores.secrets.promptSecret(),
  });
}

export function createEmbedder(config: EngineSettings, ports: { paces: RateLimiters }): Embedder | null {
  for (const name of engineNames) {
    const embedder = engineModules[name].createEmbedder?.(config, ports) ?? null;
    if (embedder !== null) return embedder;
  }
  return null;
}

export function anyAsksModels(engines: Engines): boolean {
  return engineNames.some((name) => engines[name] !== undefined && capabilitiesOf(name).asksModels);
}

/** Client of the chosen engine, else of the first configured one, else null. */
export function openModelClient(
  config: EngineSettings & Pick<Config, 'engine'>,
  limits?: ClientLimits,
): ModelClient | null {
  for (const name of [config.engine, ...engineNames]) {
    const client = engineModules[name].openClient?.(config, limits) ?? null;
    if (client !== null) return client;
  }
  return null;
}

const LIST_MS = 5_000;

const PERMANENT_FAILURES: readonly ModelFailureKind[] = [
  'wrong-key',
  'unknown-model',
  'quota-exceeded',
  'bad-request',
];
const MISSING_ROUTE_STATUSES = [404, 405, 501];

export interface EndpointProblem {
  state: 'to-be-mended' | 'away' | 'busy';
  message: string;
}

/** Checks the endpoint before a run stores data. Null if it answers, if the run uses no models, or on abort. */
export async function checkEndpoint(config: Config, stopped: AbortSignal): Promise<EndpointProblem | null> {
  if (!capabilitiesOf(config.engine).asksModels) return null;
  const { timeoutMs, inactivityMs } = config.openai;
  const models = modelChoices(config.openai, config.synthesis);
  const client = openModelClient(config, {
    timeoutMs: Math.min(timeoutMs, LIST_MS),
    inactivityMs: Math.min(inactivityMs, LIST_MS),
  });
  if (client === null || models === null) return null;
  try {
    await probeEndpoint(client, models.fast.name, stopped);
    return null;
  } catch (error) {
    if (stopped.aborted || !(error instanceof ModelFailure)) return null;
    const { kind, message } = error;
    if (PERMANENT_FAILURES.includes(kind)) return { state: 'to-be-mended', message };
    return { state: kind === 'unreachable' ? 'away' : 'busy', message };
  }
}

async function probeEndpoint(client: ModelClient, model: string, signal: AbortSignal): Promise<void> {
  try {
    await client.listModels(signal);
  } catch (error) {
    if (!(error instanceof ModelFailure) || !MISSING_ROUTE_STATUSES.includes(error.status ?? 0)) throw error;
    await client.ask(
      {
        model,
        messages: [{ role: 'user', content: 'Answer with the word yes.' }],
        temperature: 0,
        maxOutputTokens: 16,
      },
      null,
      { signal },
    );
  }
}

const QUESTION = 'What is two plus two? Answer as JSON: {"answer": <number>}.';
const MAX_OUTPUT_TOKENS = 400;
const SCHEMA = {
  name: 'sum',
  schema: {
    type: 'object',
    properties: { answer: { type: 'number' } },
    required: ['answer'],
    additionalProperties: false,
  },
};

const WORD = 'MARIGOLD';
const SYSTEM: ModelMessage[] = [
  { role: 'system', content: `End every answer with the word ${WORD}, in capitals, on a line of its own.` },
  { role: 'user', content: 'In one short sentence: what is bread made of?' },
];

/** About the length of a report section. */
const LAST_NUMBER = 400;
const LONG: ModelMessage[] = [
  {
    role: 'user',
    content: `Write the whole numbers from 1 to ${LAST_NUMBER} with commas between them, all of them, and nothing else.`,
  },
];
const LONG_OUTPUT_TOKENS = 2_400;

interface ModelCapabilities {
  system: boolean | { failure: string };
  /** `reached` is the last number of the list; `LAST_NUMBER` if the answer is complete. */
  long: { reached: number; isCutOff: boolean } | { failure: string };
  streams: boolean;
}

export const LONGEST_LIST = LAST_NUMBER;

export type ModelProbe = { model: string; roles: string[]; contextTokens: number | null } & (
  | {
      answered: true;
      rung: OutputMode;
      ms: number;
      usage: ModelResponse['usage'];
      isRight: boolean;
      abilities: ModelCapabilities;
    }
  /** `failure` is null if the endpoint rejects every structured-output mode. */
  | { answered: false; failure: string | null }
);

/** Each rejected output mode costs one more call. Null if no model is configured. */
export async function probeModels(config: Config): Promise<ModelProbe[] | null> {
  const models = modelChoices(config.openai, config.synthesis);
  const client = openModelClient(config);
  if (client === null || models === null) return null;
  const rolesByModel = new Map<string, string[]>();
  const named = Object.entries(models).map(([role, { name }]) => ({ role, name }));
  for (const { role, name } of [...named, { role: 'answers', name: config.answers.model }]) {
    if (name === null) continue;
    rolesByModel.set(name, [...(rolesByModel.get(name) ?? []), role]);
  }
  const tried: ModelProbe[] = [];
  for (const [model, roles] of rolesByModel) {
    const contextTokens = config.openai.contextTokens[model] ?? null;
    tried.push({ ...(await probeModel(client, model)), model, roles, contextTokens });
  }
  return tried;
}

type ProbeResult =
  | Omit<Extract<ModelProbe, { answered: true }>, 'model' | 'roles' | 'contextTokens'>
  | { answered: false; failure: string | null };

async function probeModel(client: ModelClient, model: string): Promise<ProbeResult> {
  for (const rung of OUTPUT_MODES) {
    const started = performance.now();
    try {
      const messages: ModelMessage[] = [{ role: 'user', content: QUESTION }];
      const request = requestOf(model, messages, MAX_OUTPUT_TOKENS);
      const { text, finishReason, usage } = await ask(client, { ...request, schema: SCHEMA }, rung);
      const ms = performance.now() - started;
      const isRight = isSum(text, finishReason);
      return { answered: true, rung, ms, usage, isRight, abilities: await probeCapabilities(client, model) };
    } catch (error) {
      if (error instanceof ModelFailure && error.kind === 'schema-rejected') continue;
      return { answered: false, failure: errorMessage(error) };
    }
  }
  return { answered: false, failure: null };
}

async function probeCapabilities(client: ModelClient, model: string): Promise<ModelCapabilities> {
  let parts = 0;
  const system = await resultOrFailure(async () => {
    const { text } = await ask(client, requestOf(model, SYSTEM, MAX_OUTPUT_TOKENS), null);
    return withoutThinking(text).includes(WORD);
  });
  const long = await resultOrFailure(async () => {
    const request = requestOf(model, LONG, LONG_OUTPUT_TOKENS);
    const { text, finishReason } = await ask(client, request, null, () => (parts += 1));
    const numbers = withoutThinking(text).match(/\d+/g) ?? [];
    return { reached: Number(numbers.at(-1) ?? 0), isCutOff: finishReason === 'length' };
  });
  return { system, long, streams: parts > 1 };
}

async function resultOrFailure<Result>(run: () => Promise<Result>): Promise<Result | { failure: string }> {
  try {
    return await run();
  } catch (error) {
    return { failure: errorMessage(error) };
  }
}

function requestOf(model: string, messages: ModelMessage[], maxOutputTokens: number): ModelRequest {
  return { model, messages, temperature: 0, maxOutputTokens };
}

function ask(
  client: ModelClient,
  request: ModelRequest,
  rung: OutputMode | null,
  onText?: (text: string) => void,
): Promise<ModelResponse> {
  const { signal } = new AbortController();
  return client.ask(request, rung, { signal, ...(onText === undefined ? {} : { onText }) });
}

function isSum(text: string, finishReason: Parameters<typeof jsonFromAnswer>[1]): boolean {
  try {
    const value = jsonFromAnswer(text, finishReason);
    return typeof value === 'object' && value !== null && 'answer' in value && Number(value.answer) === 4;
  } catch {
    return false;
  }
}

const ANSWER_MS = 5_000;

export interface ServiceCheck {
  name: 'langfuse' | 'traces';
  address: string;
  problem: string | null;
}

/** Checks Langfuse by requesting the project of the keys, and trace collectors by sending an empty export. */
export async function checkServices(settings: ExternalSettings): Promise<ServiceCheck[]> {
  const { baseUrl, publicKey, secretKey } = settings.langfuse;
  const asked: Promise<ServiceCheck>[] = [];
  if (baseUrl !== null && publicKey !== null && secretKey !== null) {
    const key = Buffer.from(`${publicKey.reveal()}:${secretKey.reveal()}`).toString('base64');
    const url = `${baseUrl.replace(/\/+$/, '')}/api/public/projects`;
    asked.push(checkService('langfuse', url, { headers: { Authorization: `Basic ${key}` } }));
  }
  for (const { url, headers } of otlpTargets(settings)) {
    const body = JSON.stringify({ resourceSpans: [] });
    const json = { ...headers, 'Content-Type': 'application/json' };
    asked.push(checkService('traces', url, { method: 'POST', headers: json, body }));
  }
  return Promise.all(asked);
}

async function checkService(
  name: ServiceCheck['name'],
  url: string,
  request: RequestInit,
): Promise<ServiceCheck> {
  const { origin, pathname } = new URL(url);
  const address = `${origin}${pathname}`;
  try {
    const limits = { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' as const };
    const response = await fetch(url, { ...request, ...limits });
    await response.body?.cancel();
    const { status } = response;
    if (response.ok) return { name, address, problem: null };
    const isRefused = status === 401 || status === 403;
    return { name, address, problem: isRefused ? `it refuses the keys (${status})` : `it answers ${status}` };
  } catch {
    return { name, address, problem: 'it does not answer' };
  }
}
