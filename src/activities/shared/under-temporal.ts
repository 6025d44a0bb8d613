import { Context } from '@temporalio/activity';
import { asActivityCancellation, asActivityFailure } from './activity-failure';
import { startHeartbeat } from './heartbeat';
import type { ActivityPorts } from './ports';
import { createPulse, type Pulse } from './pulse';
import { watchedPorts } from './watched-ports';

/** An activity as Temporal calls it. */
export type ActivityOf<Input, Result> = (input: Input) => Promise<Result>;

/** Makes an activity of what is to be done with the ports. */
export type Bind = <Input, Result>(
  carryOut: (ports: ActivityPorts, input: Input, signal: AbortSignal) => Promise<Result>,
) => ActivityOf<Input, Result>;

/** Hands activities their ports, watched, so that what goes on in them is told to the server. */
export function bindTo(ports: ActivityPorts): Bind {
  return (carryOut) => (input) =>
    underTemporal((signal, pulse) => carryOut(watchedPorts(ports, pulse), input, signal));
}

/** Beats while the work goes on, hands it the cancellation, and tells Temporal of failures in its own terms. */
async function underTemporal<Result>(
  work: (signal: AbortSignal, pulse: Pulse) => Promise<Result>,
): Promise<Result> {
  const context = Context.current();
  const pulse = createPulse();
  const stopHeartbeat = startHeartbeat(context, pulse);
  try {
    return await work(context.cancellationSignal, pulse);
  } catch (error) {
    if (context.cancellationSignal.aborted) {
      // It rejects with the reason for the cancellation.
      await context.cancelled.catch((reason: unknown) => {
        throw asActivityCancellation(reason, error);
      });
    }
    throw asActivityFailure(error);
  } finally {
    stopHeartbeat();
  }
}
