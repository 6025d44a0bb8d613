import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { StepSpan, Traces } from '../activities/outside-ports';
import type { Ports } from '../stores/stores';

/** An activity that begins or has ended. Times are in milliseconds. */
export interface MeteredActivity {
  queue: string;
  activity: string;
}

/** How an activity ended: `failed` may be tried again. */
export type ActivityOutcome = 'completed' | 'failed' | 'cancelled';

/**
 * What operators count of a worker, in figures that name no run and carry no text. Nothing of it waits, and nothing of it
 * fails.
 */
export interface Metrics {
  stepEnded(span: StepSpan): void;
  /** `queuedMs`: from when it was put into the queue to when this worker took it. */
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

export function meteredPorts<Given extends Partial<Ports>>(
  ports: Given,
  metrics: Pick<Metrics, 'storeFailed'>,
): Given {
  const metered = Object.entries(ports).map(([port, made]: [string, object]) => [
    port,
    metering(made, (operation, error) => metrics.storeFailed({ port, operation, error })),
  ]);
  return Object.fromEntries(metered) as Given; // under the same names
}

function metering(port: object, tell: (operation: string, error: string) => void): object {
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

/** The same traces, of whose steps the metrics are told as well: what is gathered for the one serves the other. */
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
