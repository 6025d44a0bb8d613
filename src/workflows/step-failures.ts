import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { WorstCase } from '../core/budget-ledger';
import type { Usage } from '../core/contracts/run';

/** Kinds of failure that a step of a model has had its tries for, while the endpoint as such answers. */
const UNUSABLE =
  /^(?:StepFailedError|ModelFailure\.(?:malformed-response|content-filter|context-length|timeout|schema-rejected))$/;

const UNREACHABLE = /^ModelFailure\.(?:unreachable|wrong-key|unknown-model|quota-exceeded)$/;

/** Whether a step failed for what the model gave, and not because no model can be asked. */
export function isUnusableAnswer(error: unknown): boolean {
  return UNUSABLE.test(causeOf(error)?.type ?? '');
}

/** Whether a run failed because the engine's endpoint cannot be used: not reached, key refused, model unknown, no credit. */
export function isEngineUnreachable(error: unknown): boolean {
  return UNREACHABLE.test(causeOf(error)?.type ?? '');
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

/** What went wrong; the failure around it only says that an activity did. */
export function causeMessage(error: ActivityFailure): string {
  return error.cause?.message ?? error.message;
}

function told(error: unknown): Usage | null {
  const [detail] = causeOf(error)?.details ?? [];
  // The activity's own failure mapping wrote it (activity-failure.ts); nothing else puts details there.
  return typeof detail === 'object' && detail !== null && 'usage' in detail ? (detail.usage as Usage) : null;
}

/** What an activity says of its failure; null where it is not an activity that failed. */
function causeOf(error: unknown): ApplicationFailure | null {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : null;
}
