import { DEFAULT_CONTEXT_TOKENS, WINDOW_SHARE } from '../../core/budget/call-estimates';
import { inputTokens } from './paid/call-meter';
import type { ModelRequest } from './port/model-client';
import type { ModelFailure } from './port/model-failure';

/** An answer takes this much of a model's window at most, so that a small window has room for the question. */
const ANSWER_SHARE = 0.25;
const SHRINKING = 0.9;

export interface ModelWindows {
  /** The longest answer to ask for where `wanted` is wanted. */
  outputTokens(model: string, wanted: number): number;
  /** Whether a first question leaves room for the answer and for a repair turn. */
  fits(request: ModelRequest): boolean;
  fitsRepair(request: ModelRequest): boolean;
  refused(request: ModelRequest, failure: ModelFailure): void;
}

export function createModelWindows(contextTokens: Readonly<Record<string, number>>): ModelWindows {
  /** By model, what endpoints have refused in this process. */
  const learned = new Map<string, number>();
  const windowOf = (model: string): number =>
    learned.get(model) ??
    (Object.hasOwn(contextTokens, model) ? contextTokens[model] : undefined) ??
    DEFAULT_CONTEXT_TOKENS;
  const fitsWhole = (request: ModelRequest): boolean =>
    inputTokens(request) + request.maxOutputTokens <= windowOf(request.model);
  return {
    outputTokens: (model, wanted) =>
      Math.max(1, Math.min(wanted, Math.floor(windowOf(model) * ANSWER_SHARE))),
    fits: (request) => fitsWhole(request) && inputTokens(request) <= windowOf(request.model) * WINDOW_SHARE,
    fitsRepair: fitsWhole,
    refused(request, failure) {
      const size = inputTokens(request) + request.maxOutputTokens;
      // What the endpoint counts and what is estimated here differ: the window is below both.
      const window = Math.min(failure.contextWindow ?? Infinity, Math.floor(size * SHRINKING));
      learned.set(request.model, Math.max(1, Math.min(windowOf(request.model), window)));
    },
  };
}
