import type { RecordEventsInput } from '../../../activities/shared/record-events';
import type { PassName } from '../../../contracts/kinds';
import type { RunInput } from '../../../contracts/run/run-input';
import { eventKey } from '../../../core/run/event-key';

/** What the log has of the beginning of a pass, and of the run where it is the first. */
export function openingEvents(
  input: RunInput,
  pass: { number: number; name: PassName; message: string },
): RecordEventsInput['events'] {
  const { number, name, message } = pass;
  const phase = {
    key: eventKey({ pass: number, step: 'run', type: 'multi-pass-phase' }),
    event: { type: 'multi-pass-phase' as const, payload: { pass: number, name, message } },
  };
  if (number > 0) return [phase];
  const { kind, question, engine, sourceCount: sources } = input;
  const started = { type: 'run-started' as const, payload: { kind, question, engine, sources } };
  return [{ key: eventKey({ pass: number, step: 'run', type: 'run-started' }), event: started }, phase];
}
