import { randomBytes } from 'node:crypto';

/** Sorts by time. Nobody guesses its 64 random bits. */
export function newRunId(kind: 'report' | 'brief' | 'answer' | 'import', now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${kind}-${time}-${randomBytes(8).toString('hex')}`;
}
