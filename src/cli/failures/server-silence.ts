import { errorMessage } from '../../platform/error-message';
import { ServerGoneError } from '../../temporal/server-gone-error';
import { UnreachableServerError } from '../../temporal/unreachable-server-error';
import { safeExcerpt } from '../terminal/safe-text';

/** gRPC's codes for no answer in time, and for a connection that cannot be made or was lost. */
const NO_ANSWER: readonly unknown[] = [4, 14];

/** Whether an error, or what it wraps, says that the Temporal server does not answer. */
export function isServerSilent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The worker's connection tells of a lost server by this name alone.
  if (error.name === 'TransportError') return true;
  if (error instanceof ServerGoneError || error instanceof UnreachableServerError) return true;
  return ('code' in error && NO_ANSWER.includes(error.code)) || isServerSilent(error.cause);
}

export function reasonInWords(error: unknown): string {
  return isServerSilent(error)
    ? 'the Temporal server does not answer'
    : safeExcerpt(errorMessage(error), 200);
}
