import type { ArtifactRef } from '../contracts/run/artifact';
import type { GivenRecords } from '../sources/read-records';

/**
 * Sources that the client reads now: files and folders, by paths from the working directory, and addresses; or records, each of which
 * it takes once.
 */
export type ReadableSources =
  { paths: readonly string[]; skipInvalid?: boolean } | { records: GivenRecords; skipInvalid?: boolean };

/** Where a run's sources come from: what the client reads now, or a manifest that was stored before, with how many sources it has. */
export type RequestedSources = ReadableSources | { manifestRef: ArtifactRef; count: number };
