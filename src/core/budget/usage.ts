import type { Usage } from '../../contracts/run/run';

export const NO_USAGE: Usage = { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    cachedCalls: a.cachedCalls + b.cachedCalls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

export function subtractUsage(now: Usage, before: Usage): Usage {
  return {
    calls: now.calls - before.calls,
    cachedCalls: now.cachedCalls - before.cachedCalls,
    inputTokens: now.inputTokens - before.inputTokens,
    outputTokens: now.outputTokens - before.outputTokens,
    // A difference of two sums may be a hair below nothing.
    costUsd: Math.max(0, now.costUsd - before.costUsd),
  };
}
