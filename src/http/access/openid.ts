import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  type Configuration,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
} from 'openid-client';
import { z } from 'zod';
import type { OpenIdSettings } from '../../config/openid-settings';
import { Owner, type Scope } from '../../contracts/access/token';
import { parsedJson } from '../../core/values/parsed-json';
import { HttpProblem } from '../problem';

/** How long a provider may take to answer. */
const TIMEOUT_S = 10;

/** What a browser keeps from when it is sent to the provider until it is back: by these it is known again, and nobody can end what another began. */
const Asked = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where it leads from here. */
  to: z.string(),
});

/** A provider that says who people are (OpenID Connect, the authorization code with PKCE). */
export interface OpenId {
  /** Where a browser is sent, and what it keeps meanwhile; `back` is the address to which the provider sends it. */
  ask(back: string, to: string): Promise<{ address: string; asked: string }>;
  /** Who has come to an address with what was kept; null where the provider knows nobody, or where nothing was begun. */
  answered(address: URL, asked: string | null): Promise<SignedIn | null>;
}

export interface SignedIn {
  owner: string;
  scope: Scope;
  to: string;
}

type Claims = Readonly<Record<string, unknown>>;
type Known = OpenIdSettings & { issuer: string; clientId: string };

/** Null where people sign in with tokens alone. */
export function openIdOf({ issuer, clientId, ...settings }: OpenIdSettings): OpenId | null {
  if (issuer === null || clientId === null) return null;
  const known: Known = { ...settings, issuer, clientId };
  let found: Promise<Configuration> | null = null;
  /** What the provider says of itself, asked for once; one that was away is asked anew. */
  const provider = async (): Promise<Configuration> => {
    found ??= discovered(known);
    try {
      return await found;
    } catch (error) {
      found = null;
      throw providerProblem(known, error);
    }
  };
  return {
    async ask(back, to) {
      const { state, nonce, verifier } = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
      };
      const address = buildAuthorizationUrl(await provider(), {
        redirect_uri: back,
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const asked: z.infer<typeof Asked> = { state, nonce, verifier, to };
      return { address: address.href, asked: Buffer.from(JSON.stringify(asked)).toString('base64url') };
    },
    async answered(address, kept) {
      const asked = readAsked(kept);
      if (asked === null || address.searchParams.has('error')) return null;
      const { state, nonce, verifier, to } = asked;
      if (address.searchParams.get('state') !== state) return null;
      const configuration = await provider();
      let claims: Claims;
      try {
        const tokens = await authorizationCodeGrant(configuration, address, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const told: Claims = tokens.claims() ?? {};
        // Many say no more than an id there.
        claims =
          known.claim in told
            ? told
            : await fetchUserInfo(configuration, tokens.access_token, String(told['sub']));
      } catch (error) {
        // It was used, or somebody was away for too long.
        if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return null;
        throw providerProblem(known, error);
      }
      return { ...letIn(known, claims), to };
    },
  };
}

function discovered({ issuer, clientId, clientSecret }: Known): Promise<Configuration> {
  const address = new URL(issuer);
  return discovery(
    address,
    clientId,
    undefined,
    clientSecret === null ? None() : ClientSecretBasic(clientSecret.reveal()),
    { timeout: TIMEOUT_S, ...(address.protocol === 'http:' ? { execute: [allowInsecureRequests] } : {}) },
  );
}

/** By the nearest of what is said of somebody. */
function letIn({ claim, people }: Known, claims: Claims): { owner: string; scope: Scope } {
  const isAddress = claim === 'email';
  const named = Owner.safeParse(claims[claim]).data;
  if (named === undefined)
    throw new HttpProblem(
      403,
      'openid',
      `The provider gives no "${claim}" by which you could be called here.`,
    );
  if (isAddress && claims['email_verified'] !== true)
    throw new HttpProblem(403, 'openid', `The provider has not verified that ${named} is your address.`);
  // Of an address no letter's case tells two people apart; of a name that somebody chose, nothing behind an "@" says whose they are.
  const owner = isAddress ? named.toLowerCase() : named;
  const scopes = new Map(Object.entries(people));
  const ofTheirs = isAddress ? scopes.get(owner.slice(owner.lastIndexOf('@'))) : undefined;
  const scope = scopes.get(owner) ?? ofTheirs ?? scopes.get('*');
  if (scope === undefined)
    throw new HttpProblem(403, 'openid', `${owner} is not among those who are let in here.`);
  return { owner, scope };
}

function readAsked(kept: string | null): z.infer<typeof Asked> | null {
  return kept === null
    ? null
    : (Asked.safeParse(parsedJson(Buffer.from(kept, 'base64url').toString())).data ?? null);
}

function providerProblem({ issuer }: Known, error: unknown): HttpProblem {
  const why = error instanceof Error ? error.message : String(error);
  return new HttpProblem(502, 'openid', `The OpenID provider ${issuer} let nobody in: ${why}.`);
}
