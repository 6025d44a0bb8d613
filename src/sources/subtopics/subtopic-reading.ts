import type { GivenSubtopic } from '../../contracts/brief/subtopic';

/** A subtopic with what is odd about it, or what is wrong with it; the file is known to the caller. */
export type SubtopicReading =
  | { ok: true; subtopic: GivenSubtopic; remarks: string[]; line?: number }
  | { ok: false; message: string; line?: number };
