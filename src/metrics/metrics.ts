import type { StepSpan } from '../tracing/traces';

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
