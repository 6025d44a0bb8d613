import type { RunBefore } from '../../contracts/run/since';
import type { ActivityPorts } from '../shared/ports';

type Kept = Pick<ActivityPorts, 'content' | 'events'>;

/**
 * The latest result of a schedule: as its own log has it, else as the server remembers it. The run that is to be compared with it
 * holds it from now on, so that it is there at the end whatever is deleted meanwhile.
 */
export async function resultBefore(
  { content, events }: Kept,
  { keptAs, runId, last }: { keptAs: string; runId: string; last: RunBefore | null },
): Promise<RunBefore | null> {
  const told = (await events.read(keptAs)).flatMap((event) =>
    event.type === 'scheduled-run' && event.payload.runId !== runId ? [event.payload] : [],
  );
  const before = told.at(-1) ?? last;
  if (before !== null) await content.hold(runId, await refsOf(content, before));
  return before;
}

export async function refsOf(
  content: ActivityPorts['content'],
  { reportRef, manifestRef }: RunBefore,
): Promise<string[]> {
  return manifestRef === undefined || !(await content.has(manifestRef))
    ? [reportRef]
    : [reportRef, manifestRef];
}
