import { createHash } from 'node:crypto';
import { isPlainRunId } from '../../core/run/plain-run-id';
import { safeLine } from '../terminal/safe-text';

const MAX_FOLDER_CHARS = 80;
const HASH_CHARS = 12;

/**
 * The name of a run's folder: its id where that is plain, else as much of it as a folder may be called, and a part of
 * its hash behind a `~`, which no plain id has, so that two runs never share a folder.
 */
export function runFolderName(runId: string): string {
  if (isPlainRunId(runId)) return runId;
  const told = runId.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  const hash = createHash('sha256').update(runId).digest('hex').slice(0, HASH_CHARS);
  return `${told.slice(0, MAX_FOLDER_CHARS)}~${hash}`;
}

/** A run's id as a shell takes it for one word, to be copied from a message. */
export function runArgument(runId: string): string {
  if (isPlainRunId(runId)) return runId;
  const quoted = `'${safeLine(runId).replaceAll("'", `'\\''`)}'`;
  return runId.startsWith('-') ? `-- ${quoted}` : quoted;
}
