import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { WorstCase } from '../core/budget-ledger';
import type { Usage } from '../core/contracts/run';

/** Kinds of failure that a step of a model has had its tries for, while the endpoint as such answers. */
const UNUSABLE =
  /^(?:StepFailedError|ModelFailure\.(?:malformed-response|content-filter|context-length|timeout|schema-rejected))$/;

/** Whether a step failed for what the model gave, and not because no model can be asked. */
export function isUnusableAnswer(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof ApplicationFailure &&
    UNUSABLE.test(error.cause.type ?? '')
  );
}

/** Whether a run failed because the engine's endpoint cannot be used: not reached, key refused, model unknown, no credit. */
export function isEngineUnreachable(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof ApplicationFailure &&
    /^ModelFailure\.(?:unreachable|wrong-key|unknown-model|quota-exceeded)$/.test(error.cause.type ?? '')
  );
}

/** What a failed step had used: what the failure says of it, else the worst case, since nothing is known. */
export function usageOfFailure(error: unknown, worstCase: WorstCase): Usage {
  return (
    told(error) ?? {
      calls: worstCase.tokens === 0 ? 0 : 1,
      cachedCalls: 0,
      inputTokens: worstCase.tokens,
      outputTokens: 0,
      costUsd: worstCase.costUsd,
    }
  );
}

function told(error: unknown): Usage | null {
  if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) return null;
  const [detail] = error.cause.details ?? [];
  // The activity's own failure mapping wrote it (activity-failure.ts); nothing else puts details there.
  return typeof detail === 'object' && detail !== null && 'usage' in detail ? (detail.usage as Usage) : null;
}
