import type { z } from 'zod';
import type { PageReader } from '../pages/page-reader';
import type { SourceReading } from '../source-reading';

/**
 * Finds the sources of a run at the time when it starts: a search, a folder, a feed. What is found comes one at a time, checked as
 * sources of files are (`readRecords` does that for records from anywhere), and what cannot be used comes as a problem in its
 * place. A finder that can reach nothing throws an error that says what it could not reach.
 */
export interface SourceFinder<Settings> {
  /** What it has to be told, as plain data: it lies in a schedule, so it names secrets and holds none. */
  readonly settings: z.ZodType<Settings>;
  find(settings: Settings, options: FindOptions): AsyncIterable<SourceReading>;
}

export interface FindOptions {
  signal: AbortSignal;
  /** What lies at addresses is read by it, and by nothing else. */
  pages?: PageReader | undefined;
}
