import { randomBytes } from 'node:crypto';

/** Sorts by time, and differs where two start in one second. */
export function newRunId(kind: 'report' | 'brief' | 'answer' | 'import', now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${kind}-${time}-${randomBytes(2).toString('hex')}`;
}
