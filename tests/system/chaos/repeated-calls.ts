import type { Disturbed } from './disturb';
import type { ModelCall } from '../../support/kills/watched-model';

/** Calls whose answers had left whole, and that were asked again. */
export interface RepeatedCalls {
  /** Before the answer was stored, its worker or Redis was killed: so many milliseconds after it had left, each. */
  inWindowMs: number[];
  /** They were answered while Redis was away or full, or took no writes until their worker was killed. */
  whileAway: string[];
  /** Nothing explains them, in sentences. */
  unexplained: string[];
}

/** A flushed write takes no longer than this, on a machine that has other things to do. */
const LONGEST_WINDOW_MS = 1_000;

export function repeatedCalls(calls: readonly ModelCall[], disturbed: readonly Disturbed[]): RepeatedCalls {
  const found: RepeatedCalls = { inWindowMs: [], whileAway: [], unexplained: [] };
  for (const { repeats } of calls) if (repeats !== null) note(found, repeats, disturbed);
  return found;
}

function note(found: RepeatedCalls, call: ModelCall, disturbed: readonly Disturbed[]): void {
  const answeredAt = call.answeredAt ?? 0;
  const isOfStore = ({ part }: Disturbed): boolean => part.startsWith('redis');
  const tookNothing = (one: Disturbed): boolean =>
    (isOfStore(one) && one.at <= answeredAt && answeredAt <= one.backAt) ||
    (one.noWritesSince !== null && one.noWritesSince <= answeredAt && answeredAt <= one.at);
  const away = disturbed.find(tookNothing);
  if (away !== undefined) {
    found.whileAway.push(`${call.runId} (${call.step}) of ${call.worker}, ${away.part}`);
    return;
  }
  const cause = disturbed.find(
    (one) =>
      (isOfStore(one) || one.part === call.worker) &&
      one.at >= answeredAt &&
      one.at - answeredAt <= LONGEST_WINDOW_MS,
  );
  if (cause === undefined)
    found.unexplained.push(`a finished call of ${call.runId || 'a run'} (${call.step}) was asked again`);
  else found.inWindowMs.push(cause.at - answeredAt);
}
