import { createHmac } from 'node:crypto';

/**
 * The mark that delimits what others wrote, one for all that is asked for a question: nobody can guess it who does not know
 * the secret, the same question over the same sources is paid for once, and prompts over the same sources begin alike.
 */
export function promptMark(secret: string, question: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['mark', question]))
    .digest('hex')
    .slice(0, 16);
}
