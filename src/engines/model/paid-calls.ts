import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { priceOf } from '../../contracts/budget';
import { RunId } from '../../contracts/run';
import type { PriceTable } from '../../contracts/run-input';
import { tryParseJson } from '../../lib/json';
import type { ResponseCache } from '../../stores/stores';
import { completeItems } from './json-answer';
import {
  type CallSlot,
  INTERRUPTIONS,
  type ModelClient,
  ModelFailure,
  type ModelRequest,
  type ModelResponse,
  OUTPUT_MODES,
  type OutputMode,
  withoutThinking,
} from './port';
import { callCacheKey, type RateLimiter } from './rate-limiter';
import type { CallMeter } from './token-windows';

const InterruptionRecord = z.object({
  times: z.int().positive(),
  by: z.enum(INTERRUPTIONS),
  text: z.string(),
});
type InterruptionRecord = z.infer<typeof InterruptionRecord>;

/**
 * Number of interruptions after which the partial answer is used. After as many time-outs the request is rejected.
 */
const MAX_INTERRUPTIONS = 2;

/** A request in one output mode. Prompts differ by mode, because prompts of lower modes contain the schema. */
export interface CachedRequest {
  rung: OutputMode | null;
  request: ModelRequest;
}

export interface CachedCallContext {
  runId: string;
  turn: number;
  revision: number;
  signal: AbortSignal;
  meter: CallMeter;
  /** Streams the answer. A cached response is not passed to it. */
  onText?: (text: string) => void;
}

/**
 * Model calls through the response cache, shared by all processes and runs. Concurrent equal requests are sent
 * once.
 */
export interface CachedCalls {
  /** Returns a cached response to any of the requests, or asks the first. Throws as `ModelClient.ask` does. */
  ask(
    requests: readonly [CachedRequest, ...CachedRequest[]],
    context: CachedCallContext,
  ): Promise<ModelResponse>;
  /** As `ask`, without a call and without usage; null if nothing is cached. */
  find(requests: readonly CachedRequest[], context: CachedCallContext): Promise<ModelResponse | null>;
}

export interface CachedCallsSettings {
  client: Pick<ModelClient, 'ask'>;
  cache: Pick<ResponseCache, 'get' | 'put' | 'acquireLease' | 'releaseLease'>;
  pace: RateLimiter;
  prices: PriceTable;
  /** Without name, password and query. */
  endpoint: string;
  ttlMs: number;
  /** True for responses that are neither stored nor reused. Default: none. */
  isUseless?: (request: ModelRequest, response: ModelResponse) => boolean;
  /** Lease on a call in milliseconds. */
  leaseMs?: number;
}

const LEASE_MS = 15_000;
const FIRST_POLL_MS = 20;
const MAX_POLL_MS = 500;

export function createCachedCalls(settings: CachedCallsSettings): CachedCalls {
  const { client, cache, pace, prices, endpoint, ttlMs, leaseMs = LEASE_MS } = settings;
  const isUseless = settings.isUseless ?? ((): boolean => false);
  const process = randomUUID();
  let leases = 0;

  const keyOf = ({ request, rung }: CachedRequest, { turn, revision }: CachedCallContext): string =>
    callCacheKey({ endpoint, request, rung, turn, revision });

  const interrupted = createInterruptedCalls(cache, ttlMs);

  async function stored(key: string, request: ModelRequest, runId: string): Promise<StoredResponse | null> {
    const { maxOutputTokens } = request;
    const found = await cache.get(runId, key);
    const response = found === null ? null : readStoredResponse(found.body);
    if (response !== null && isUseless(request, response)) return null;
    // A response that was cut off at a lower limit is shorter than requested now.
    const { finishReason, maxOutputTokens: limit = Infinity } = response ?? {};
    return finishReason === 'length' && limit < maxOutputTokens ? null : response;
  }

  async function askModel(
    { request, rung }: CachedRequest,
    key: string,
    { runId, signal, meter, onText }: CachedCallContext,
  ): Promise<ModelResponse> {
    const price = priceOf(prices, request.model);
    const ask = async (turn: CallSlot): Promise<ModelResponse> => {
      meter.sent();
      let response: ModelResponse;
      try {
        response = await client.ask(request, rung, { signal, turn, ...(onText ? { onText } : {}) });
        turn.answered();
        meter.paid(request, response, price);
      } catch (error) {
        if (!(error instanceof ModelFailure)) {
          if (signal.aborted) meter.abandoned(request, price);
          throw error;
        }
        meter.failed(request, error, price);
        response = await interrupted.salvage({ runId, key, request, rung }, error);
      }
      if (isUseless(request, response)) return response;
      // Store the answer before it is parsed: it is paid for, valid or not.
      const isLimited = response.finishReason === 'length' && response.interrupted === undefined;
      const limit = isLimited ? { maxOutputTokens: request.maxOutputTokens } : {};
      const body: StoredResponse = { ...response, ...limit, paidBy: runId };
      await cache.put(runId, key, JSON.stringify(body), { ttlMs });
      return response;
    };
    return pace.run(ask, signal, request.model);
  }

  async function askOnce(asked: CachedRequest, context: CachedCallContext): Promise<ModelResponse> {
    const key = keyOf(asked, context);
    const owner = `${process}:${(leases += 1)}`;
    for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(MAX_POLL_MS, waitMs * 1.5)) {
      context.signal.throwIfAborted();
      const lease = await acquireCallLease(cache, key, owner, leaseMs);
      // The previous holder of the lease may have stored the response.
      const found = await stored(key, asked.request, context.runId).catch(async (error: unknown) => {
        await lease?.release();
        throw error;
      });
      if (found !== null) {
        await lease?.release();
        context.meter.cached();
        return found;
      }
      if (lease !== null) {
        try {
          await interrupted.refuseHopeless(context.runId, key);
          return await askModel(asked, key, context);
        } finally {
          await lease.release();
        }
      }
      await waitFor(waitMs, context.signal);
    }
  }

  return {
    async ask(requests, context) {
      for (const candidate of requests) {
        const found = await stored(keyOf(candidate, context), candidate.request, context.runId);
        if (found === null) continue;
        context.meter.cached();
        // An earlier attempt of this run paid for it and did not report the usage.
        if (found.paidBy === context.runId) {
          context.meter.paid(candidate.request, found, priceOf(prices, candidate.request.model));
        }
        return found;
      }
      return askOnce(requests[0], context);
    },
    async find(requests, context) {
      for (const candidate of requests) {
        const found = await stored(keyOf(candidate, context), candidate.request, context.runId);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

async function waitFor(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(waitMs, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

const StoredResponseSchema = z.object({
  text: z.string(),
  finishReason: z.enum(['stop', 'length', 'content-filter', 'other']),
  interrupted: z.enum(INTERRUPTIONS).optional(),
  /** The token limit that cut the answer off; absent for other reasons. */
  maxOutputTokens: z.number().optional(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  rung: z.enum(OUTPUT_MODES).nullable(),
  paidBy: RunId,
});
type StoredResponse = z.infer<typeof StoredResponseSchema>;

/** Null for a response in another version's format. The model is asked again. */
function readStoredResponse(body: string): StoredResponse | null {
  return StoredResponseSchema.safeParse(tryParseJson(body)).data ?? null;
}

/** Renews itself until its release. Expires if the process dies. */
interface CallLease {
  release(): Promise<void>;
}

/** Null if another owner holds the lease. */
export async function acquireCallLease(
  cache: Pick<ResponseCache, 'acquireLease' | 'releaseLease'>,
  key: string,
  owner: string,
  ttlMs: number,
): Promise<CallLease | null> {
  if (!(await cache.acquireLease(key, owner, ttlMs))) return null;
  let renewing: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // A failed renewal lets the lease expire, which costs a second call at most.
    renewing = cache.acquireLease(key, owner, ttlMs).catch(() => undefined);
  }, ttlMs / 3);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      await renewing;
      await cache.releaseLease(key, owner);
    },
  };
}

/**
 * Uses the partial answer of an interrupted request at once if its time was up, else after `MAX_INTERRUPTIONS`.
 * Rejects a request that timed out so often as too slow.
 */
interface InterruptedCalls {
  refuseHopeless(runId: string, key: string): Promise<void>;
  /** Returns the partial answer. Throws the failure if the request may be repeated, or one with `isTooSlow`. */
  salvage(asked: InterruptedCall, failure: ModelFailure): Promise<ModelResponse>;
}

interface InterruptedCall {
  runId: string;
  key: string;
  request: ModelRequest;
  rung: OutputMode | null;
}

function createInterruptedCalls(cache: Pick<ResponseCache, 'get' | 'put'>, ttlMs: number): InterruptedCalls {
  const keyOf = (key: string): string => `interrupted ${key}`;
  const noteOf = async (runId: string, key: string): Promise<InterruptionRecord | null> => {
    const found = await cache.get(runId, keyOf(key));
    return found === null ? null : (InterruptionRecord.safeParse(tryParseJson(found.body)).data ?? null);
  };
  return {
    async refuseHopeless(runId, key) {
      const note = await noteOf(runId, key);
      if (note !== null && note.times >= MAX_INTERRUPTIONS && isTimeOut(note)) throw tooSlowFailure();
    },
    async salvage({ runId, key, request, rung }, failure) {
      const broken =
        failure.interrupted ?? (failure.kind === 'timeout' ? { by: 'silence' as const, text: '' } : null);
      if (broken === null || !failure.retryable) throw failure;
      const { by, text } = broken;
      const before = await noteOf(runId, key);
      const longest = text.length > (before?.text.length ?? 0) ? text : (before?.text ?? '');
      // A streamed text was already shown, so it is kept even if an earlier one was longer.
      const kept = request.schema === undefined && text !== '' ? text : longest;
      const note: InterruptionRecord = { times: (before?.times ?? 0) + 1, by, text: kept };
      // A steady answer that took too long will take as long again. One that fell silent may not.
      const isLast = by === 'time' || note.times >= MAX_INTERRUPTIONS;
      if (isLast && hasCompletePart(note.text, request)) {
        return { text: note.text, finishReason: 'length', interrupted: by, usage: null, rung };
      }
      await cache.put(runId, keyOf(key), JSON.stringify(note), { ttlMs });
      throw note.times >= MAX_INTERRUPTIONS && isTimeOut(note) ? tooSlowFailure() : failure;
    },
  };
}

function isTimeOut({ by }: InterruptionRecord): boolean {
  return by === 'time' || by === 'silence';
}

function tooSlowFailure(): ModelFailure {
  return new ModelFailure('timeout', 'A request was not answered in its time, twice; it has to be smaller.', {
    retryable: false,
  });
}

function hasCompletePart(text: string, { schema }: ModelRequest): boolean {
  return schema === undefined ? /[.!?]\s|\n\n/.test(withoutThinking(text)) : completeItems(text) !== null;
}
