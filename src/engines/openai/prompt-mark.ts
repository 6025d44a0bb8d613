import { createHmac } from 'node:crypto';

/**
 * The mark that delimits what others wrote: nobody can guess it who does not know the secret, and the same input has the
 * same mark, so that the same question is paid for once.
 */
export function promptMark(secret: string, step: string, input: unknown): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([step, input]))
    .digest('hex')
    .slice(0, 16);
}
