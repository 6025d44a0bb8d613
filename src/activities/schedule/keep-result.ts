import type { RunBefore } from '../../contracts/run/since';
import type { ActivityPorts } from '../shared/ports';
import { refsOf } from './result-before';

/** A log with so many results is begun anew: the last one is all that is asked for. */
const RESULTS_LOGGED = 50;

export interface KeepResultInput {
  keptAs: string;
  result: RunBefore;
}

/**
 * Keeps what a run came to for the next one of its schedule, whatever becomes of the run itself: the schedule holds the latest result,
 * and lets go of the one before. Told twice it is kept once.
 */
export async function keepResult(
  { content, events }: ActivityPorts,
  { keptAs, result }: KeepResultInput,
): Promise<RunBefore> {
  const told = await events.read(keptAs);
  const former = told.flatMap((event) => (event.type === 'scheduled-run' ? [event.payload.runId] : []));
  await content.hold(heldFor(keptAs, result.runId), await refsOf(content, result));
  if (told.length >= RESULTS_LOGGED) await events.clearRun(keptAs);
  await events.appendOnce(keptAs, result.runId, { type: 'scheduled-run', payload: result });
  for (const runId of former.filter((id) => id !== result.runId))
    await content.clearRun(heldFor(keptAs, runId));
  return result;
}

function heldFor(keptAs: string, runId: string): string {
  return `${keptAs}:${runId}`;
}
