import type { ArtifactRef } from '../contracts/run/artifact';
import type { GivenRecords } from '../sources/read-records';

/**
 * Where a run's sources come from: files and folders, by paths from the working directory, and addresses, read by the client now; records
 * that it takes now, each once; or a manifest that was stored before, with how many sources it has.
 */
export type RequestedSources =
  | { paths: readonly string[]; skipInvalid?: boolean }
  | { records: GivenRecords; skipInvalid?: boolean }
  | { manifestRef: ArtifactRef; count: number };
