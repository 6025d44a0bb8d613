import type { Context } from '@temporalio/activity';
import type { Pulse } from './pulse';

/** A beat is also how a cancellation arrives, so it comes at least so often (decision 5). */
const MAX_INTERVAL_MS = 1_000;

/**
 * Beats on a timer at half of the activity's heartbeat timeout or more often, and says what the activity is at, until the
 * returned function is called or the activity hangs: the server then hands it to another worker.
 */
export function startHeartbeat(context: Context, pulse: Pulse): () => void {
  const timeoutMs = context.info.heartbeatTimeoutMs;
  if (timeoutMs === undefined) return () => undefined;
  const timer = setInterval(
    () => {
      const beat = pulse.beat();
      if (beat !== null) context.heartbeat(beat);
    },
    Math.min(timeoutMs / 2, MAX_INTERVAL_MS),
  );
  return () => clearInterval(timer);
}
