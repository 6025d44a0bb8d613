import type { Secret } from '../../platform/secret';
import { type Abilities, ALL_ABILITIES, withoutRefused } from './endpoint/endpoint-abilities';
import { AnswerListener } from './answer/answer-listener';
import { openEndpoint, type Endpoint } from './endpoint/endpoint';
import { callEndpoint, type EndpointCall } from './endpoint/endpoint-call';
import type { ModelClient, ModelRequest, ModelResponse, SchemaRung } from '../model/port/model-client';
import { ModelFailure } from '../model/port/model-failure';
import { failureMessage, modelsMessage } from './failure-message';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { isRecord } from '../../core/values/is-record';
import { parsedJson } from '../../core/values/parsed-json';
import { withoutThinking } from '../model/port/thinking';
import { malformed } from './answer/answer-parts';
import type { Deadline } from './endpoint/endpoint-deadline';
import { complaintOfError } from './as-model-failure';
import { isEventStream, readAnswer } from './answer/read-answer';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';

export interface OpenAiClientSettings {
  /** With or without a slash at its end, with or without `/v1`. */
  baseUrl: string;
  apiKey: Secret | null;
  /** The longest that a call may take, up to the last byte of its answer. */
  timeoutMs: number;
  /** The longest that a stream may send nothing at all, once the model has said something. */
  inactivityMs: number;
  /** The longest that a stream may take until the model says something: it reads the prompt first. Default 180,000. */
  firstByteMs?: number;
  /** Default 64 MiB. What a response may have at most, with all that a stream has around its text. */
  maxResponseBytes?: number;
}

/** Reading eight thousand tokens takes small machines two minutes. */
const FIRST_BYTE_MS = 180_000;

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** How long to look for the names of models, for a message about one that does not exist. */
const LISTING_MS = 10_000;

export function createOpenAiClient(settings: OpenAiClientSettings): ModelClient {
  const { timeoutMs, inactivityMs, firstByteMs = FIRST_BYTE_MS } = settings;
  const apiKey = settings.apiKey?.reveal() ?? null;
  const endpoint = openEndpoint(settings.baseUrl, apiKey, settings.maxResponseBytes ?? MAX_RESPONSE_BYTES);
  const abilities = new Map<string, Abilities>();

  const list = (signal: AbortSignal, limitMs: number): Promise<string[]> => {
    const call: EndpointCall = {
      endpoint,
      apiKey,
      timeoutMs: limitMs,
      inactivityMs,
      firstByteMs,
      request: null,
      rung: null,
    };
    return callEndpoint(call, signal, new AnswerListener(null), async (deadline) =>
      listedModels(await endpoint.models(deadline.signal)),
    );
  };

  const explained = async (
    error: ModelFailure,
    model: string,
    signal: AbortSignal,
  ): Promise<ModelFailure> => {
    const isUnknown = error.kind === 'unknown-model';
    if (!isUnknown && error.status !== 404) return error;
    const names = await list(signal, Math.min(timeoutMs, LISTING_MS)).catch(() => null);
    signal.throwIfAborted();
    if (names === null || (!isUnknown && names.includes(model))) return error;
    return unknownModelFailure({ address: endpoint.address, model }, error.status, names);
  };

  return {
    ask: async (request, rung, { signal, onText }) => {
      const listener = new AnswerListener(onText ?? null);
      const call: EndpointCall = { endpoint, apiKey, timeoutMs, inactivityMs, firstByteMs, request, rung };
      try {
        return await callEndpoint(call, signal, listener, (deadline) =>
          askModel(
            endpoint,
            {
              request,
              rung,
              listener,
              inactivityMs,
              firstByteMs,
              abilities: abilities.get(request.model) ?? ALL_ABILITIES,
              learn: (found) => void abilities.set(request.model, found),
            },
            deadline,
          ),
        );
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        throw await explained(error, request.model, signal);
      }
    },
    listModels: (signal) => list(signal, timeoutMs),
  };
}

function unknownModelFailure(
  asked: { address: string; model: string },
  status: number | null,
  names: readonly string[],
): ModelFailure {
  const message = failureMessage(
    'unknown-model',
    { ...asked, hasKey: true },
    { status, contextWindow: null },
  );
  return new ModelFailure('unknown-model', `${message} ${modelsMessage(names)}`, { status });
}

const MAX_NAMES = 10_000;
const MAX_NAME_CHARS = 200;

/** The names in the response to a request for an endpoint's models. Throws where it is something else. */
async function listedModels(response: Response): Promise<string[]> {
  const names = modelNamesIn(parsedJson(await response.text()));
  if (names === null) throw malformed('what it sent is no list of models');
  return names;
}

/** The names in an endpoint's list of models, as OpenAI, Ollama and others write it; null where it is no such list. */
function modelNamesIn(body: unknown): string[] | null {
  const list = listIn(body);
  if (list === null) return null;
  const names = list
    .slice(0, MAX_NAMES)
    .map((item) => (typeof item === 'string' ? item : nameIn(item)))
    .map((name) => stripUnsafe(name).trim())
    .filter((name) => name !== '' && name.length <= MAX_NAME_CHARS);
  return [...new Set(names)];
}

function listIn(body: unknown): readonly unknown[] | null {
  const lists: unknown[] = [body, ...(isRecord(body) ? [body['data'], body['models']] : [])];
  return lists.find((list): list is unknown[] => Array.isArray(list)) ?? null;
}

function nameIn(item: unknown): string {
  if (!isRecord(item)) return '';
  const name = [item['id'], item['model'], item['name']].find((value) => typeof value === 'string');
  return name ?? '';
}

interface Question {
  request: ModelRequest;
  rung: SchemaRung | null;
  abilities: Abilities;
  learn: (abilities: Abilities) => void;
  listener: AnswerListener;
  inactivityMs: number;
  firstByteMs: number;
}

/** A model that thought until its tokens were gone gets so many times as many. */
const MORE_ROOM = 4;

/**
 * Asks once, and again without a parameter as long as the endpoint refuses another one. An empty answer whose tokens went into
 * thinking is asked for once more with room for it.
 */
async function askModel(endpoint: Endpoint, question: Question, deadline: Deadline): Promise<ModelResponse> {
  const { request, rung, listener } = question;
  const hasSchema = rung === 'json-schema' && request.schema !== undefined;
  const tried = new Set<string>();
  let { abilities } = question;
  let spent: ModelResponse['usage'] = null;
  for (;;) {
    tried.add(JSON.stringify(abilities));
    try {
      const { answer, streamed } = await askOnce(endpoint, question, abilities, deadline);
      // What answers at once is silent until then, and is asked for no stream again.
      abilities = { ...abilities, stream: streamed };
      question.learn(abilities);
      spent = spent === null || answer.usage === null ? (answer.usage ?? spent) : sumOf(spent, answer.usage);
      const hasRoom =
        abilities.maxOutput === null || request.maxOutputTokens * abilities.room < abilities.maxOutput;
      const isEmpty = answer.finishReason === 'length' && withoutThinking(answer.text) === '';
      if (isEmpty && abilities.room === 1 && hasRoom) {
        abilities = { ...abilities, room: MORE_ROOM };
        question.learn(abilities);
        continue;
      }
      return { ...answer, usage: spent, rung: request.schema === undefined ? null : rung };
    } catch (error) {
      const complaint = withoutThinking(listener.heard) === '' ? complaintOfError(error) : null;
      const hasSystem = request.messages.some(({ role }) => role === 'system');
      const maxOutput = outputTokens(request, abilities);
      const sent = { streams: abilities.stream, hasSchema, hasSystem, maxOutput };
      const changed = complaint && withoutRefused(abilities, complaint, sent);
      if (!changed || tried.has(JSON.stringify(changed.abilities))) throw error;
      if (changed.certain) question.learn(changed.abilities);
      abilities = changed.abilities;
    }
  }
}

async function askOnce(
  endpoint: Endpoint,
  { request, rung, listener, inactivityMs, firstByteMs }: Question,
  abilities: Abilities,
  deadline: Deadline,
): Promise<{ answer: Omit<ModelResponse, 'rung'>; streamed: boolean }> {
  const body = chatBody(request, rung, abilities);
  // An answer that comes at once comes when all of it is there.
  if (abilities.stream) deadline.listen(firstByteMs, 'beginning');
  const response = await endpoint.complete(body, deadline.signal);
  const answer = await readAnswer(response, {
    deadline,
    inactivityMs,
    firstByteMs,
    onText: (text) => listener.push(text),
  });
  listener.end();
  return { answer, streamed: isEventStream(response) };
}

function chatBody(
  request: ModelRequest,
  rung: SchemaRung | null,
  abilities: Abilities,
): ChatCompletionCreateParams {
  return {
    model: request.model,
    messages: abilities.system
      ? request.messages.map(({ role, content }) => ({ role, content }))
      : withoutSystem(request),
    [abilities.maxTokens]: outputTokens(request, abilities),
    ...(abilities.room > 1 && abilities.effort ? { reasoning_effort: 'low' as const } : {}),
    ...(abilities.temperature ? { temperature: request.temperature } : {}),
    ...responseFormat(request, rung, abilities),
    stream: abilities.stream,
    ...(abilities.stream && abilities.streamUsage ? { stream_options: { include_usage: true } } : {}),
  };
}

function outputTokens({ maxOutputTokens }: ModelRequest, { room, maxOutput }: Abilities): number {
  return Math.min(maxOutputTokens * room, maxOutput ?? Infinity);
}

/** The messages with what the system's say at the head of the first of the user. */
function withoutSystem({ messages }: ModelRequest): ChatCompletionCreateParams['messages'] {
  const told = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
  const others = messages.filter(({ role }) => role !== 'system');
  return others.map(({ role, content }, at) => ({
    role,
    content: at === 0 ? `${told}\n\n${content}` : content,
  }));
}

type Spent = NonNullable<ModelResponse['usage']>;

function sumOf(one: Spent, other: Spent): Spent {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

function responseFormat(
  { schema }: ModelRequest,
  rung: SchemaRung | null,
  abilities: Abilities,
): Pick<ChatCompletionCreateParams, 'response_format'> {
  if (schema === undefined || rung === null || rung === 'prompt-only') return {};
  if (rung === 'json-object') return { response_format: { type: 'json_object' } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: {
        // The only characters and the only length that every endpoint takes.
        name: schema.name.replace(/[^\w-]/g, '_').slice(0, 64),
        schema: schema.schema,
        strict: abilities.strictSchema,
      },
    },
  };
}
