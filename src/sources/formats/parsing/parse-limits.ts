export interface ParseLimits {
  ms: number;
  partMs: number;
  /** Resident memory of the process that parses. */
  memoryMb: number;
  /** Of all texts that the process returns for one task. */
  chars: number;
}

export const PARSE_LIMITS: ParseLimits = {
  ms: 120_000,
  /** A page takes some milliseconds; one that holds anything but text may take all its time to say so. */
  partMs: 20_000,
  /** A small file can inflate to anything. */
  memoryMb: 1_024,
  /** Above the 64 MB of the largest file; a constant or an alias can stand for any number of copies. */
  chars: 100_000_000,
};

/** Of a text, a list or records: they are read in one piece. */
export const TEXT_MS = 20_000;
/** Of a report against its sources: a thousand pages take half of it. */
export const VERIFY_MS = 60_000;

export const MOST_PARTS = 5_000;
export const MOST_CHARS = 20_000_000;
/** Of all that an archive holds of what is read, as it comes out. */
export const MOST_INFLATED_BYTES = 256 * 1_024 * 1_024;
/** Of one import: records of lists, entries of bibliographies, addresses. */
export const MOST_SOURCES = 100_000;
