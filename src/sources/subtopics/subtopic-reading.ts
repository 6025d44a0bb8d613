import type { GivenSubtopic } from '../../contracts/brief/subtopic';

export type SubtopicReading =
  | { ok: true; subtopic: GivenSubtopic; remarks: string[]; line?: number }
  | { ok: false; message: string; line?: number };
