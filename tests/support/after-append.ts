import type { EventLog } from '../../src/stores/event-log';

export type AfterAppend = (runId: string, event: Parameters<EventLog['appendOnce']>[2]) => Promise<void>;

/** The event log, which waits for `look` as soon as an event is on disk. */
export function afterAppend(events: EventLog, look: AfterAppend): EventLog {
  return {
    ...events,
    async appendOnce(runId, key, event) {
      const number = await events.appendOnce(runId, key, event);
      await look(runId, event);
      return number;
    },
  };
}
