import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { isRecord, tryParseJson } from '../../lib/json';
import type { Secret } from '../../lib/process';
import { stripUnsafe } from '../../lib/untrusted-text';
import {
  type ModelClient,
  ModelFailure,
  type ModelRequest,
  type ModelResponse,
  type OutputMode,
  withoutThinking,
} from '../model/port';
import { AnswerListener, type Call, type Deadline, runCall } from './call';
import {
  DEFAULT_PARAMETERS,
  EXPERIMENTS,
  isPromptTooLong,
  nextAttempt,
  type ParameterAttempt,
  parseErrorResponse,
  ranOutOfOutputTokens,
  type RequestParameters,
  type SentRequest,
} from './complaints';
import { connect, type Connection } from './connection';
import { malformedResponse, unknownModelFailure } from './endpoint-errors';
import { type Answer, isEventStream, readAnswer } from './stream';

export interface OpenAiClientSettings {
  /** With or without a trailing slash and `/v1`. */
  baseUrl: string;
  apiKey: Secret | null;
  timeoutMs: number;
  inactivityMs: number;
  /** Includes reading the prompt. Default 180,000. */
  firstByteMs?: number;
  /** Limit on a response, with the envelope of a stream. Default 64 MiB. */
  maxResponseBytes?: number;
  /** Factor on the tokens of an answer, as room for thinking. Default 1. */
  thinkingRoom?: number;
}

/** Small machines read 8,000 tokens in 2 minutes. */
const FIRST_BYTE_MS = 180_000;

export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const LISTING_MS = 10_000;

/** Factors on the tokens of a model that used them up on thinking: per increase, and at most. */
const ROOM_FACTOR = 4;
const MAX_ROOM = 16;

interface KnownModel {
  differences: RequestParameters;
  room: number;
  /** All experiments failed to avoid a refusal. */
  isTried: boolean;
}

/** Learns each model's parameters from refusals and keeps them in memory. Throws `ModelFailure`. */
export function createOpenAiClient(settings: OpenAiClientSettings): ModelClient {
  const { timeoutMs, inactivityMs, firstByteMs = FIRST_BYTE_MS, thinkingRoom = 1 } = settings;
  const apiKey = settings.apiKey?.reveal() ?? null;
  const connection = connect(settings.baseUrl, apiKey, settings.maxResponseBytes ?? MAX_RESPONSE_BYTES);
  const known = new Map<string, KnownModel>();
  const plainCall = { connection, apiKey, timeoutMs, inactivityMs, firstByteMs, contents: [], rung: null };

  const list = (signal: AbortSignal, model: string, limitMs: number): Promise<string[]> => {
    const call: Call = { ...plainCall, model, timeoutMs: limitMs };
    return runCall(call, signal, new AnswerListener(), async (deadline) =>
      readModelList(await connection.models(deadline.signal)),
    );
  };

  const explained = async (
    error: ModelFailure,
    model: string,
    signal: AbortSignal,
  ): Promise<ModelFailure> => {
    const isUnknown = error.kind === 'unknown-model';
    if (!isUnknown && error.status !== 404) return error;
    const names = await list(signal, model, Math.min(timeoutMs, LISTING_MS)).catch(() => null);
    signal.throwIfAborted();
    if (names === null || (!isUnknown && names.includes(model))) return error;
    return unknownModelFailure({ address: connection.address, model }, error.status, names);
  };

  return {
    ask: async (request, rung, { signal, onText, turn }) => {
      const { model } = request;
      const listener = new AnswerListener(onText ?? null);
      const contents = request.messages.map(({ content }) => content);
      const question: Question = {
        request,
        rung,
        listener,
        known: known.get(model) ?? { differences: DEFAULT_PARAMETERS, room: thinkingRoom, isTried: false },
        learn: (found) => void known.set(model, mergeKnown(known.get(model), found)),
      };
      try {
        return await runCall({ ...plainCall, model, contents, rung, turn }, signal, listener, (deadline) =>
          askModel(connection, question, deadline),
        );
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        throw await explained(error, model, signal);
      }
    },
    listModels: (signal) => list(signal, '', timeoutMs),
  };
}

/** Concurrent calls to the model may have learned other differences. */
function mergeKnown(before: KnownModel | undefined, found: KnownModel): KnownModel {
  if (before === undefined) return found;
  const same: Partial<Record<string, unknown>> = { ...DEFAULT_PARAMETERS };
  const changed = Object.entries(found.differences).filter(([name, value]) => value !== same[name]);
  return {
    differences: { ...before.differences, ...Object.fromEntries(changed) },
    room: Math.max(before.room, found.room),
    isTried: before.isTried || found.isTried,
  };
}

interface Question {
  request: ModelRequest;
  rung: OutputMode | null;
  listener: AnswerListener;
  known: KnownModel;
  learn: (known: KnownModel) => void;
}

/** Repeats until the endpoint accepts the request's form, and once more if thinking used up the tokens. */
async function askModel(
  connection: Connection,
  question: Question,
  deadline: Deadline,
): Promise<ModelResponse> {
  const { request, rung, listener, learn } = question;
  const { differences: start, isTried } = question.known;
  let { room } = question.known;
  let attempt: ParameterAttempt = {
    differences: start,
    sure: start,
    refusal: '',
    left: isTried ? [] : EXPERIMENTS,
  };
  const tried = new Set<string>();
  let isEnlarged = false;
  /** The context is too small for more room in this call. */
  let isCramped = false;
  let spent: ModelResponse['usage'] = null;

  /** Once per call; false at the limit. */
  const enlarge = (): boolean => {
    const { maxOutput, effort } = attempt.differences;
    const hasLimit = maxOutput !== null && request.maxOutputTokens * room >= maxOutput;
    if (isEnlarged || hasLimit || room >= MAX_ROOM) return false;
    isEnlarged = true;
    room = Math.min(room * ROOM_FACTOR, MAX_ROOM);
    const differences: RequestParameters = {
      ...attempt.differences,
      effort: effort === 'default' ? 'low' : effort,
    };
    attempt = { ...attempt, differences, sure: differences };
    learn({ differences, room, isTried });
    return true;
  };

  for (;;) {
    const { differences } = attempt;
    const times = isCramped ? 1 : room;
    const body = chatBody(request, rung, differences, times);
    tried.add(JSON.stringify(body));
    try {
      if (differences.stream) deadline.expect('beginning');
      const sent = await connection.complete(body, deadline.signal);
      const answer = await readAnswer(sent, { deadline, onText: (text) => listener.push(text) });
      listener.end();
      // An endpoint that does not stream is silent until its answer, so no stream is requested again.
      const found = { ...differences, stream: differences.stream && isEventStream(sent.response) };
      attempt = { ...attempt, differences: found, sure: found };
      learn({ differences: found, room, isTried });
      spent = sumUsage(spent, answer.usage);
      const isSpent = answer.finishReason === 'length' && answer.interrupted === undefined;
      const isEmpty = isSpent && withoutThinking(answer.text) === '';
      if (isEmpty && !isCramped && enlarge()) continue;
      return { ...answer, usage: spent, rung: request.schema === undefined ? null : rung };
    } catch (error) {
      const complaint = withoutThinking(listener.heard) === '' ? parseErrorResponse(error) : null;
      if (complaint === null) throw error;
      if (ranOutOfOutputTokens(complaint) && enlarge()) continue;
      isCramped ||= isPromptTooLong(complaint);
      const next = nextAttempt(attempt, complaint, sentRequest(request, rung, times, differences));
      attempt = next ?? attempt;
      const again = chatBody(request, rung, attempt.differences, isCramped ? 1 : room);
      if (tried.has(JSON.stringify(again))) {
        // No experiment helped, so the next refusal starts none.
        if (attempt.left.length < EXPERIMENTS.length)
          learn({ differences: attempt.sure, room, isTried: true });
        throw error;
      }
      if (next !== null && next.sure === next.differences) learn({ differences: next.sure, room, isTried });
    }
  }
}

function chatBody(
  request: ModelRequest,
  rung: OutputMode | null,
  differences: RequestParameters,
  room: number,
): ChatCompletionCreateParams {
  const { maxTokens, temperature, stream, streamUsage, system, effort } = differences;
  return {
    model: request.model,
    messages: system
      ? request.messages.map(({ role, content }) => ({ role, content }))
      : foldSystemMessage(request),
    [maxTokens]: outputTokens(request, differences, room),
    ...(effort === 'low' ? { reasoning_effort: 'low' as const } : {}),
    ...(temperature === 'none'
      ? {}
      : { temperature: temperature === 'asked' ? request.temperature : temperature }),
    ...responseFormat(request, rung, differences),
    stream,
    ...(stream && streamUsage ? { stream_options: { include_usage: true } } : {}),
  };
}

function outputTokens(
  { maxOutputTokens }: ModelRequest,
  { maxOutput }: RequestParameters,
  room: number,
): number {
  return Math.min(Math.round(maxOutputTokens * room), maxOutput ?? Infinity);
}

function sentRequest(
  request: ModelRequest,
  rung: OutputMode | null,
  room: number,
  differences: RequestParameters,
): SentRequest {
  const format = responseFormat(request, rung, differences).response_format?.type;
  return {
    hasFormat: format !== undefined,
    hasSchema: format === 'json_schema',
    hasSystem: request.messages.some(({ role }) => role === 'system'),
    maxOutput: outputTokens(request, differences, room),
  };
}

function foldSystemMessage({ messages }: ModelRequest): ChatCompletionCreateParams['messages'] {
  const told = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
  const others = messages.filter(({ role }) => role !== 'system');
  return others.map(({ role, content }, at) => ({
    role,
    content: at === 0 ? `${told}\n\n${content}` : content,
  }));
}

function responseFormat(
  { schema }: ModelRequest,
  rung: OutputMode | null,
  { strictSchema }: RequestParameters,
): Pick<ChatCompletionCreateParams, 'response_format'> {
  if (schema === undefined || rung === null || rung === 'prompt-only') return {};
  if (rung === 'json-object') return { response_format: { type: 'json_object' } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: {
        // The characters and the length that every endpoint accepts.
        name: schema.name.replace(/[^\w-]/g, '_').slice(0, 64),
        schema: strictSchema ? schema.schema : looseSchema(schema.schema),
        strict: strictSchema,
      },
    },
  };
}

/** Removes `additionalProperties`, which strict endpoints require and Gemini does not know. */
function looseSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(schema, (name, value: unknown) =>
    name === 'additionalProperties' ? undefined : value,
  );
  return JSON.parse(text) as Record<string, unknown>;
}

function sumUsage(one: Answer['usage'], other: Answer['usage']): Answer['usage'] {
  if (one === null || other === null) return other ?? one;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

const MAX_NAMES = 10_000;
const MAX_NAME_CHARS = 200;

/** Accepts the lists of OpenAI, Ollama and others. Throws `ModelFailure` for other bodies. */
async function readModelList(response: Response): Promise<string[]> {
  const body = tryParseJson(await response.text());
  const lists: unknown[] = [body, ...(isRecord(body) ? [body['data'], body['models']] : [])];
  const list = lists.find((value): value is unknown[] => Array.isArray(value));
  if (list === undefined) throw malformedResponse('what it sent is no list of models');
  const names = list
    .slice(0, MAX_NAMES)
    .map((item) => (isRecord(item) ? (item['id'] ?? item['model'] ?? item['name']) : item))
    .map((name) => (typeof name === 'string' ? stripUnsafe(name).trim() : ''))
    .filter((name) => name !== '' && name.length <= MAX_NAME_CHARS);
  return [...new Set(names)];
}
