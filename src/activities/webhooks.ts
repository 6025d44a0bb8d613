import { createHmac } from 'node:crypto';
import type { EndedRun } from '../contracts/run-input';
import { FetchError } from '../sources/fetch-address';
import { createFetcher, type FetcherOptions } from '../sources/fetcher';

/** Prefix of Standard Webhooks secrets, which makes one recognisable in a log. */
export const SECRET_PREFIX = 'whsec_';

const MAX_ANSWER_BYTES = 65_536;
/** The receiver wants no more messages. */
const HTTP_GONE = 410;

export interface DeliveryFailure {
  reason: string;
  isRetryable: boolean;
}

/** Signed by Standard Webhooks 1.0.0. */
export interface Webhooks {
  /** Null if delivered. Rejects with the signal's reason. */
  post(
    url: string,
    told: { messageId: string; run: EndedRun },
    signal: AbortSignal,
  ): Promise<DeliveryFailure | null>;
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
        return deliveryFailure(error);
      } finally {
        await fetcher.close();
      }
    },
  };
}

/** A wrong address is permanent; any other failure may be temporary. */
function deliveryFailure({ kind, message, status }: FetchError): DeliveryFailure | null {
  if (kind === 'too-large' || kind === 'unreadable') return null;
  const isWrong = kind === 'bad-address' || kind === 'not-public' || kind === 'bad-redirect';
  return { reason: message, isRetryable: !isWrong && status !== HTTP_GONE };
}
