import { opposingQuotes } from '../../../core/evidence/opposing-quotes';
import { toldConflict } from '../../../core/evidence/told-conflict';
import type { Conflict } from '../../../contracts/report/finding';
import { eventKey } from '../../../core/run/event-key';
import type { EventLog } from '../../../stores/event-log';

/** Tells of conflicts that were not told yet: what has the same quotes against each other is one, whoever finds it. */
export async function tellConflicts(
  events: EventLog,
  runId: string,
  conflicts: readonly Conflict[],
): Promise<void> {
  for (const conflict of conflicts) {
    const key = eventKey({
      pass: 3,
      step: 'cross-check',
      type: 'conflict-detected',
      ordinal: opposingQuotes(conflict),
    });
    await events.appendOnce(runId, key, { type: 'conflict-detected', payload: toldConflict(conflict) });
  }
}
