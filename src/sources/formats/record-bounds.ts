import type { FileBounds } from '../../platform/given-file';

/** A record, and a file of sources that is read as a whole, may have this many bytes: about 30,000 pages. */
export const RECORD_BOUNDS: FileBounds = {
  maxBytes: 64 * 1024 * 1024,
  otherwise: 'split it into several files',
};

/** Behind so many bad records nothing of a file of lines is read. */
export const MOST_PROBLEMS = 10_000;
