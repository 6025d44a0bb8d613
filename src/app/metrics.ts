import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { StepSpan, Traces } from '../activities/external-ports';
import type { StorePorts } from '../stores/stores';

export interface MeteredActivity {
  queue: string;
  activity: string;
}

export type ActivityOutcome = 'completed' | 'failed' | 'cancelled';

/** Worker metrics. Labels contain no run ids and no text. The methods return at once and never throw. */
export interface Metrics {
  stepEnded(span: StepSpan): void;
  /** `queuedMs` is the time from scheduling to the start on this worker. */
  activityBegan(activity: MeteredActivity, queuedMs: number): void;
  activityEnded(
    activity: MeteredActivity,
    ended: { outcome: ActivityOutcome; ms: number; failure: string | null },
  ): void;
  callWaited(ms: number): void;
  storeFailed(failed: { port: string; operation: string; error: string }): void;
}

export function meteredActivities(
  metrics: Pick<Metrics, 'activityBegan' | 'activityEnded'>,
): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const activity = { queue: info.taskQueue, activity: info.activityType };
        const since = performance.now();
        // The times come from two clocks, so the difference can be negative.
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

/** Error types are a closed set. Messages may contain any text. */
function kindOf(error: unknown): string {
  if (error instanceof ApplicationFailure) return error.type ?? error.name;
  return error instanceof Error ? error.name : 'unknown';
}

export function meteredPorts<Given extends Partial<StorePorts>>(
  ports: Given,
  metrics: Pick<Metrics, 'storeFailed'>,
): Given {
  const metered = Object.entries(ports).map(([port, made]: [string, object]) => [
    port,
    meteredPort(made, (operation, error) => metrics.storeFailed({ port, operation, error })),
  ]);
  return Object.fromEntries(metered) as Given; // same keys
}

function meteredPort(port: object, tell: (operation: string, error: string) => void): object {
  return new Proxy(port, {
    get(target, operation) {
      const found: unknown = Reflect.get(target, operation);
      if (typeof found !== 'function' || typeof operation === 'symbol') return found;
      return (...given: unknown[]): unknown => {
        const made: unknown = Reflect.apply(found, target, given);
        if (made instanceof Promise)
          made.catch((error: unknown) => tell(operation, error instanceof Error ? error.name : 'unknown'));
        return made;
      };
    },
  });
}

export function meteredTraces(traces: Traces, metrics: Pick<Metrics, 'stepEnded'>): Traces {
  return {
    isOn: true,
    step(run, span) {
      metrics.stepEnded(span);
      traces.step(run, span);
    },
    note: (run, note) => traces.note(run, note),
    ended: (run, status) => traces.ended(run, status),
    idOf: (run) => traces.idOf(run),
    close: () => traces.close(),
  };
}
