import type { EventLog } from '../stores/event-log';
import type { Traces } from './traces';

/** The same log, whose closing event ends the run's trace, whoever appends it and of whatever kind the run is. */
export function tracedEvents(events: EventLog, traces: Traces): EventLog {
  return {
    async appendOnce(runId, key, event) {
      const number = await events.appendOnce(runId, key, event);
      if (event.type === 'run-completed') traces.ended({ runId }, event.payload.status);
      if (event.type === 'run-failed') traces.ended({ runId }, 'failed');
      return number;
    },
    read: (...asked) => events.read(...asked),
    follow: (...asked) => events.follow(...asked),
    runs: () => events.runs(),
    clearRun: (...asked) => events.clearRun(...asked),
  };
}
