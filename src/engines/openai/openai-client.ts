import type { Secret } from '../../platform/secret';
import { askModel } from './ask-model';
import { rememberedAbilities } from './endpoint/remembered-abilities';
import { AnswerListener } from './answer/answer-listener';
import { openEndpoint } from './endpoint/endpoint';
import { callEndpoint, type EndpointCall } from './endpoint/endpoint-call';
import { listedModels } from './endpoint/endpoint-models';
import type { ModelClient, WireMemory } from '../model/port/model-client';
import { ModelFailure } from '../model/port/model-failure';
import { unknownModelFailure } from './unknown-model-failure';

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
  /** Has what the models are known to take. Default: what this client learns itself. */
  memory?: WireMemory;
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
  const abilities = rememberedAbilities(settings.memory ?? new Map<string, Record<string, unknown> | null>());

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
              abilities: abilities.of(request.model),
              learn: (found) => abilities.learn(request.model, found),
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
