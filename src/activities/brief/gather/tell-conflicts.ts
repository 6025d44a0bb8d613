import { toldConflict } from '../../../core/evidence/told-conflict';
import type { Conflict } from '../../../contracts/report/finding';
import { eventKey } from '../../../core/run/event-key';
import type { EventLog } from '../../../stores/event-log';

/** Tells of conflicts that were not told yet; one between the same statements is the same. */
export async function tellConflicts(
  events: EventLog,
  runId: string,
  conflicts: readonly Conflict[],
): Promise<void> {
  for (const conflict of conflicts) {
    const ordinal = [...conflict.findingIds].sort().join(' ');
    const key = eventKey({ pass: 0, step: 'gather', type: 'conflict-detected', ordinal });
    await events.appendOnce(runId, key, { type: 'conflict-detected', payload: toldConflict(conflict) });
  }
}
