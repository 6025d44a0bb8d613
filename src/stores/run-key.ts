import { RunId } from '../contracts/run/run';
import { isPlainRunId } from '../core/run/plain-run-id';

/** Stands before a name that is encoded; no plain id begins with it. */
const ENCODED = '=';

/**
 * The name of a run in keys: its id where that is plain, else the id in base64url, so that no id has a slash in it or
 * runs into another's range of keys, and the longest has fewer bytes than a key may have.
 */
export function runKey(runId: string): string {
  RunId.parse(runId);
  return isPlainRunId(runId) ? runId : `${ENCODED}${Buffer.from(runId, 'utf8').toString('base64url')}`;
}

export function runIdOfKey(key: string): string {
  return key.startsWith(ENCODED) ? Buffer.from(key.slice(ENCODED.length), 'base64url').toString('utf8') : key;
}
