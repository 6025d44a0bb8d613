/** A new event came after the run's closing event. */
export class EventLogClosedError extends Error {
  override readonly name = 'EventLogClosedError';
  constructor(
    readonly runId: string,
    readonly key: string,
  ) {
    super(
      `The event log of run ${runId} is closed: the event ${key} was refused. ` +
        'Start the run again under a new id, or delete it first.',
    );
  }
}
