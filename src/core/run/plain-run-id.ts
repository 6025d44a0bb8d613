/** Ids that stand as they are wherever something is named after a run: in a file system, a store's keys, a shell. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export function isPlainRunId(runId: string): boolean {
  return PLAIN.test(runId);
}
