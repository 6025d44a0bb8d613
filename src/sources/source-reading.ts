import type { SourceRecord } from '../contracts/source/source';
import type { UnknownKey } from './unknown-keys';

/** What is wrong with a record, where. `line` counts from 1, where the problem lies on one. */
export interface SourceProblem {
  file: string;
  line?: number;
  message: string;
}

export interface SourceRemarks {
  /** What was changed of its metadata, and what is odd about it. */
  remarks: string[];
  unknown: UnknownKey[];
}

/** One source, or why there is none. `line` is that of the record in a `.jsonl` file. */
export type SourceReading =
  | ({
      ok: true;
      record: SourceRecord & { id: string; title: string };
      file: string;
      line?: number;
    } & SourceRemarks)
  | { ok: false; problem: SourceProblem };

/**
 * A record before it has a title and an id for certain, or what is wrong with it; the file is known to the caller.
 */
export type RecordReading =
  | ({ ok: true; record: SourceRecord; line?: number } & SourceRemarks)
  | { ok: false; message: string; line?: number };

/** `a.jsonl:3`, or `a.md`. */
export function placeOf(file: string, line?: number): string {
  return line === undefined ? file : `${file}:${line}`;
}
