import { createHmac } from 'node:crypto';
import type { EndedRun } from '../contracts/run-input';
import { FetchError } from '../sources/fetch-address';
import { createFetcher, type FetcherOptions } from '../sources/fetcher';

/** As Standard Webhooks has secrets: so that one is known for what it is where it stands in a log. */
export const SECRET_PREFIX = 'whsec_';

/** An answer is read to its end, and thrown away. */
const MAX_ANSWER_BYTES = 65_536;
/** `Gone`: whoever says so wants to be told nothing more. */
const GONE = 410;

export interface Refusal {
  reason: string;
  isRetryable: boolean;
}

/** Tells others that runs have ended, by the guarded fetcher, signed as Standard Webhooks (1.0.0) has it. */
export interface Webhooks {
  /** Null where they took it. Rejects with the reason of the signal. */
  post(url: string, told: { messageId: string; run: EndedRun }, signal: AbortSignal): Promise<Refusal | null>;
}

export function createWebhooks({
  fetch,
  secret,
  now = () => new Date(),
}: {
  fetch: FetcherOptions;
  /** `whsec_` and the key in base64. */
  secret: string;
  now?: () => Date;
}): Webhooks {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return {
    async post(url, { messageId, run }, signal) {
      const at = now();
      const body = { type: `run.${run.status}`, timestamp: at.toISOString(), data: run };
      const seconds = Math.floor(at.getTime() / 1_000);
      const signed = `${messageId}.${seconds}.${JSON.stringify(body)}`;
      const headers = {
        'webhook-id': messageId,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      };
      const fetcher = createFetcher(fetch);
      try {
        await fetcher.ask(url, { headers, body, maxBytes: MAX_ANSWER_BYTES, signal });
        return null;
      } catch (error) {
        if (!(error instanceof FetchError)) throw error;
        return refusalOf(error);
      } finally {
        await fetcher.close();
      }
    },
  };
}

/** What is wrong with the address stays wrong; whoever answers may do so otherwise tomorrow. */
function refusalOf({ kind, message, status }: FetchError): Refusal | null {
  // They took it, and said more than anybody reads.
  if (kind === 'too-large' || kind === 'unreadable') return null;
  const isWrong = kind === 'bad-address' || kind === 'not-public' || kind === 'bad-redirect';
  return { reason: message, isRetryable: !isWrong && status !== GONE };
}
