import type { Config } from '../config/config';
import { FetchError } from '../fetch/fetch-error';
import { hostAndPort, webAddress } from '../fetch/web-address';
import { environmentNames } from '../config/setting-names';
import { createWebhooks, type Webhooks } from '../webhooks/webhooks';
import { configuredFetch } from './configured-fetch';

type Settings = Pick<Config, 'fetch' | 'webhooks'>;

/** Null where there is no secret to sign with. */
export function configuredWebhooks({ fetch, webhooks: { secret } }: Settings): Webhooks | null {
  // Whoever is told is no site that is read: nothing has to lie between two runs that end.
  return secret === null
    ? null
    : createWebhooks({ fetch: { ...configuredFetch(fetch), paceMs: 0 }, secret: secret.reveal() });
}

/** Why nobody could be told at an address with these settings, as the rest of a sentence that begins with `webhook`; null where they could. */
export function webhookProblem({ fetch, webhooks }: Settings, url: string): string | null {
  if (webhooks.secret === null)
    return `needs a secret to be signed with, which the server has not: set ${environmentNames['webhooks.secret']}`;
  try {
    const allowed = new Set(fetch.allow);
    const { protocol, ...address } = addressed(url, allowed);
    return protocol === 'https:' || allowed.has(address.host)
      ? null
      : 'is an address without TLS, where others could read along; give one that begins with https://';
  } catch (error) {
    if (error instanceof FetchError) return `leads nowhere: ${error.reason}`;
    throw error;
  }
}

function addressed(url: string, allowed: ReadonlySet<string>): { protocol: string; host: string } {
  const address = webAddress(url, allowed);
  return { protocol: address.protocol, host: hostAndPort(address) };
}
