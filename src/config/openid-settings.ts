import { z } from 'zod';
import { Scope } from '../contracts/access/token';
import { isLoopback } from '../platform/loopback';
import { HttpUrl, SecretText, Text } from './setting-types';

/** What a person is told apart by goes over the wire in clear text where there is no TLS. */
const Issuer = HttpUrl.refine((address) => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname);
}).describe('an https URL, or one of this machine');

export const OpenIdSettings = z
  .object({
    /** Default none: people sign in with tokens. The OpenID provider by which they sign in as well, as it calls itself; it needs `openId.clientId` and `openId.people`. */
    issuer: Issuer.nullable().default(null),
    /** Default none. What this service is called at the provider, which sends people back to `/sign-in/openid/back`. */
    clientId: Text.nullable().default(null),
    /** Default none: the service is a public client. What it shows to the provider. From the environment only. */
    clientSecret: SecretText.nullable().default(null),
    /** Default `email`. The claim by which somebody is called, as an owner of runs; an address has to be one that the provider has verified. */
    claim: Text.default('email'),
    /** Default nobody. Who is let in, and what they may do: by name, by what stands behind `@`, or `*` for whomever the provider knows; the nearest counts. */
    people: z
      .record(z.string().min(1), Scope)
      .describe('for each name, "@example.org" or "*" what they may do: read, run or admin')
      .default({}),
    /** Default 12. For how many hours somebody is signed in. */
    hours: z.int().min(1).max(8_760).default(12),
  })
  .refine(
    ({ issuer, clientId, people }) =>
      issuer === null || (clientId !== null && Object.keys(people).length > 0),
    { path: ['issuer'], message: 'used together with openId.clientId and openId.people' },
  );
export type OpenIdSettings = z.infer<typeof OpenIdSettings>;
