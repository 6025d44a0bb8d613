import type { Context } from '@temporalio/activity';

/** A beat is also how a cancellation arrives, so it comes at least so often (decision 5). */
const MAX_INTERVAL_MS = 1_000;

/** Beats on a timer at half of the activity's heartbeat timeout or more often, until the returned function is called. */
export function startHeartbeat(context: Context): () => void {
  const timeoutMs = context.info.heartbeatTimeoutMs;
  if (timeoutMs === undefined) return () => undefined;
  const timer = setInterval(() => context.heartbeat(), Math.min(timeoutMs / 2, MAX_INTERVAL_MS));
  return () => clearInterval(timer);
}
