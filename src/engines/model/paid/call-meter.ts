import type { Usage } from '../../../contracts/run/run';
import { estimateTokens } from '../../../core/budget/call-estimates';
import { costUsd } from '../../../core/budget/prices';
import type { ModelPrice } from '../../../contracts/run/prices';
import type { ModelRequest, ModelResponse } from '../port/model-client';
import type { ModelFailure, ModelFailureKind } from '../port/model-failure';

export interface CallMeter {
  /** A response that this call paid for, or that an earlier attempt of the same run paid for. */
  paid(request: ModelRequest, response: ModelResponse, price: ModelPrice | null): void;
  /** A response that cost nothing: somebody else's, or one of an earlier attempt (`paid` counts its tokens). */
  cached(): void;
  sent(): void;
  /** A request that gave no response; a server may have worked on it all the same. */
  failed(request: ModelRequest, failure: ModelFailure, price: ModelPrice | null): void;
  /** A request that was given up while the server worked on it, because the run was cancelled. */
  abandoned(request: ModelRequest, price: ModelPrice | null): void;
  usage(): Usage;
}

/** Failures after which the server has read the prompt, and charges for it. */
const READ_BY_THE_SERVER: readonly ModelFailureKind[] = ['timeout', 'malformed-response', 'content-filter'];

export function createCallMeter(): CallMeter {
  const used: Usage = { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const count = (tokens: { inputTokens: number; outputTokens: number }, price: ModelPrice | null): void => {
    used.inputTokens += tokens.inputTokens;
    used.outputTokens += tokens.outputTokens;
    used.costUsd += costUsd(price, tokens);
  };
  return {
    sent() {
      used.calls += 1;
    },
    paid(request, response, price) {
      count(response.usage ?? estimated(request, response.text), price);
    },
    cached() {
      used.cachedCalls += 1;
    },
    failed(request, failure, price) {
      const { interrupted } = failure;
      if (interrupted !== null || READ_BY_THE_SERVER.includes(failure.kind))
        count(estimated(request, interrupted?.text ?? ''), price);
    },
    abandoned(request, price) {
      count(estimated(request, ''), price);
    },
    usage: () => ({ ...used }),
  };
}

/** For servers that send no usage. */
function estimated(request: ModelRequest, answer: string): { inputTokens: number; outputTokens: number } {
  return { inputTokens: inputTokens(request), outputTokens: estimateTokens(answer.length) };
}

/** How many tokens a request's prompt has, about. */
export function inputTokens({ messages, schema }: ModelRequest): number {
  const chars = messages.reduce((sum, message) => sum + message.content.length, 0);
  return estimateTokens(chars + (schema === undefined ? 0 : JSON.stringify(schema.schema).length));
}
