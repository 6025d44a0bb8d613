import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { WorstCase } from '../core/budget-ledger';
import type { Usage } from '../core/contracts/run';

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
