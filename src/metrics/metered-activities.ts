import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Metrics } from './metrics';

export function meteredActivities(
  metrics: Pick<Metrics, 'activityBegan' | 'activityEnded'>,
): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const activity = { queue: info.taskQueue, activity: info.activityType };
        const since = performance.now();
        // By two clocks, of which one may be behind.
        metrics.activityBegan(activity, Math.max(0, Date.now() - info.currentAttemptScheduledTimestampMs));
        const end = (ended: Pick<Parameters<Metrics['activityEnded']>[1], 'outcome' | 'failure'>): void =>
          metrics.activityEnded(activity, { ...ended, ms: performance.now() - since });
        try {
          const result: unknown = await next(input);
          end({ outcome: 'completed', failure: null });
          return result;
        } catch (error) {
          if (error instanceof CancelledFailure) end({ outcome: 'cancelled', failure: null });
          else end({ outcome: 'failed', failure: kindOf(error) });
          throw error;
        }
      },
    },
  });
}

/** Kinds are few, and made by the program; a message might carry anything. */
function kindOf(error: unknown): string {
  if (error instanceof ApplicationFailure) return error.type ?? error.name;
  return error instanceof Error ? error.name : 'unknown';
}
