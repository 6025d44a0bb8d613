import type { ArtifactRef } from '../contracts/run/artifact';
import type { Asker } from '../sources/formats/parsing/document-parser';
import type { GivenRecords } from '../sources/read-records';

/**
 * Files and folders, by paths from the working directory, and addresses; `within` is a folder that is left out where places are
 * told, such as one that keeps what was uploaded. Or records, each of which is taken once.
 */
export type SourcesOfOneKind = { paths: readonly string[]; within?: string } | { records: GivenRecords };

/** Sources that the client reads now: of one kind, or of several, one behind the other. */
export type ReadableSources = (SourcesOfOneKind | { parts: readonly SourcesOfOneKind[] }) & {
  skipInvalid?: boolean;
  /** Who else they are read for, such as a client of the HTTP face; null, or absent, for this process itself. */
  asker?: Asker | null;
};

/** Where a run's sources come from: what the client reads now, or a manifest that was stored before, with how many sources it has. */
export type RequestedSources = ReadableSources | { manifestRef: ArtifactRef; count: number };
