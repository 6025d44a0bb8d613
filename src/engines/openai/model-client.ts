import type { Secret } from '../../platform/secret';
import { askModel } from './ask-model';
import { ALL_ABILITIES, type Abilities } from './endpoint/endpoint-abilities';
import { AnswerListener } from './answer/answer-listener';
import { openEndpoint } from './endpoint/endpoint';
import { callEndpoint, type EndpointCall } from './endpoint/endpoint-call';
import { listedModels } from './endpoint/endpoint-models';
import { ModelFailure } from './model-failure';
import { unknownModelFailure } from './unknown-model-failure';

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ModelRequest {
  model: string;
  messages: ModelMessage[];
  temperature: number;
  maxOutputTokens: number;
  /** The answer's JSON schema and a name for it; absent for an answer in Markdown. */
  schema?: { name: string; schema: Record<string, unknown> };
}

/** How the endpoint is told of the schema, the best first: enforced by it, JSON without a schema, or by the prompt alone. */
export const SCHEMA_RUNGS = ['json-schema', 'json-object', 'prompt-only'] as const;
export type SchemaRung = (typeof SCHEMA_RUNGS)[number];

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'other';

/** Why an answer ends before the model ended it: its time was over, nothing came any more, or it said the same over and over. */
export const INTERRUPTIONS = ['time', 'silence', 'connection', 'repetition'] as const;
export type Interruption = (typeof INTERRUPTIONS)[number];

/** What came back, complete: this is what the response cache keeps (JSON), before any parsing of the answer's text. */
export interface ModelResponse {
  /** The content as sent, `<think>` included; without what came beside it as `reasoning_content`. */
  text: string;
  finishReason: FinishReason;
  /** Only of an answer that was cut off here, whose `finishReason` is `length` then. */
  interrupted?: Interruption;
  /** Null where the endpoint sent none. */
  usage: { inputTokens: number; outputTokens: number } | null;
  /** Null where no schema was asked for. */
  rung: SchemaRung | null;
}

export interface AskOptions {
  signal: AbortSignal;
  /** Gets the answer's visible text in parts, without thinking. What it throws ends the call and passes untouched. */
  onText?: (text: string) => void;
}

export interface ModelClient {
  /**
   * One request on one rung, streamed where the endpoint can. An answer that repeats itself is stopped, and ends before it
   * does. Throws ModelFailure; cancellation passes untouched (the signal's reason).
   */
  ask(request: ModelRequest, rung: SchemaRung | null, options: AskOptions): Promise<ModelResponse>;
  /** The names of the endpoint's models, in its order. Throws as `ask` does. */
  listModels(signal: AbortSignal): Promise<string[]>;
}

export interface ModelClientSettings {
  /** With or without a slash at its end, with or without `/v1`. */
  baseUrl: string;
  apiKey: Secret | null;
  /** The longest that a call may take, up to the last byte of its answer. */
  timeoutMs: number;
  /** The longest that a stream may send nothing at all, once the model has said something. */
  inactivityMs: number;
  /** The longest that a stream may take until the model says something: it reads the prompt first. Default 180,000. */
  firstByteMs?: number;
  /** What the models are known to take. Default: what this client learns itself. */
  abilities?: AbilityMemory;
  /** Default 64 MiB. What a response may have at most, with all that a stream has around its text. */
  maxResponseBytes?: number;
}

/** What was learned of what each model takes. */
export interface AbilityMemory {
  get(model: string): Abilities | undefined;
  set(model: string, abilities: Abilities): unknown;
}

/** Reading eight thousand tokens takes small machines two minutes. */
const FIRST_BYTE_MS = 180_000;

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** How long to look for the names of models, for a message about one that does not exist. */
const LISTING_MS = 10_000;

export function createModelClient(settings: ModelClientSettings): ModelClient {
  const { timeoutMs, inactivityMs, firstByteMs = FIRST_BYTE_MS } = settings;
  const apiKey = settings.apiKey?.reveal() ?? null;
  const endpoint = openEndpoint(settings.baseUrl, apiKey, settings.maxResponseBytes ?? MAX_RESPONSE_BYTES);
  const learned: AbilityMemory = settings.abilities ?? new Map<string, Abilities>();

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

  /** Where a model is not there, says which are. */
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
              abilities: learned.get(request.model) ?? ALL_ABILITIES,
              learn: (abilities) => learned.set(request.model, abilities),
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
