import { z } from 'zod';

export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
  constructor(
    readonly path: string,
    cause: unknown,
    advice = 'Check that the folder is on a local disk and may be written, or use another data folder.',
  ) {
    super(
      `The store in ${path} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}. ${advice}`,
      { cause },
    );
  }
}

export class StoreFormatError extends Error {
  override readonly name = 'StoreFormatError';
  constructor(
    readonly path: string,
    readonly found: unknown,
    readonly expected: number,
    elsewhere = 'another data folder',
  ) {
    const isNewer = typeof found === 'number' && found > expected;
    super(
      `The store in ${path} has format ${JSON.stringify(found)}, and this version of Colligate reads format ${expected}. ` +
        (isNewer
          ? `A newer version wrote it: update Colligate, or use ${elsewhere}.`
          : `Use the version that wrote it, or use ${elsewhere}.`),
    );
  }
}

/** Nothing of the transaction was kept. */
export class StoreWriteError extends Error {
  override readonly name = 'StoreWriteError';
  constructor(
    readonly path: string,
    cause: unknown,
    advice = 'Check the free space of the disk, then try again.',
  ) {
    super(
      `The store in ${path} could not be written: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        `Nothing of this write was kept. ${advice}`,
      { cause },
    );
  }
}

/** A remote store is unavailable for now; requests may be repeated. */
export class StoreAwayError extends Error {
  override readonly name = 'StoreAwayError';
  constructor(
    readonly path: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(
      `The store in ${path} is away: ${reason}. Runs wait for it and go on when it is back; see that it runs and can be reached.`,
      options,
    );
  }
}

export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError';
  constructor(readonly path: string) {
    super(`The store in ${path} was closed by this process; open it again before using it.`);
  }
}

export class CorruptArtifactError extends Error {
  override readonly name = 'CorruptArtifactError';
  constructor(
    readonly ref: string,
    options?: ErrorOptions,
  ) {
    super(
      `The artifact ${ref} is damaged: what is stored does not match its SHA-256. ` +
        'Check the disk, delete the run and start it again.',
      options,
    );
  }
}

/** The event was not written. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  constructor(
    readonly runId: string,
    readonly event: string,
    cause: z.ZodError,
  ) {
    super(`The event ${event} of run ${runId} does not fit its schema: ${z.prettifyError(cause)}`, { cause });
  }
}

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

/** A later attempt has restarted the section's text. */
export class StaleGenerationError extends Error {
  override readonly name = 'StaleGenerationError';
  constructor(
    readonly runId: string,
    readonly section: string,
    readonly generation: number,
    readonly newestGeneration: number,
  ) {
    super(
      `Generation ${generation} of section ${section} in run ${runId} is out of date: ` +
        `generation ${newestGeneration} has begun. This writer must stop.`,
    );
  }
}
