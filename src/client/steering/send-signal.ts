import { setTimeout as sleep } from 'node:timers/promises';
import { grpcFailure } from '../grpc-failure';
import { MessageUnansweredError } from './message-errors';

const RETRY_MS = 200;
/** So long a run may take to go on in a history that takes signals again. */
const PATIENCE_MS = 60_000;
const INVALID_ARGUMENT = 3;

/**
 * Sends a signal until the server has taken it: a history that has as many as the server allows takes none until its run goes on in
 * a new one. Rejects with `MessageUnansweredError` where it does not within a minute, and at once with what else befalls `send`.
 */
export async function sendSignal(runId: string, send: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await send();
      return;
    } catch (error) {
      if (!hasItsFill(error)) throw error;
      if (Date.now() >= until) throw new MessageUnansweredError(runId, null);
      await sleep(RETRY_MS);
    }
  }
}

/** The server has no code of its own for it. */
function hasItsFill(error: unknown): boolean {
  const failure = grpcFailure(error);
  return failure?.code === INVALID_ARGUMENT && failure.details.includes('limit for signal');
}
