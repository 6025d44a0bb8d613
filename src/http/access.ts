import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findToken, listTokens, makeToken, revokeToken } from '../app/access-tokens';
import { Owner, Scope, SCOPES, StoredToken } from '../contracts/run';
import { HttpProblem, Problem } from './problem';
import type { App, Caller, Routes, ServerContext } from './server-context';

export interface GuardOptions {
  /** Allowed values of the Host header (`host:port`) and of the Origin header. */
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  /** Owner of requests without a token until the first token exists; null if each request needs a token. */
  withoutToken: string | null;
}

/** Guards every route, stream and tool: first the Host and Origin headers, then the token, then its scope. */
export function guardRoutes(app: App, face: ServerContext, options: GuardOptions): void {
  let { withoutToken } = options;
  /** Closed for good by the first token, even if that is revoked or the store is emptied. */
  async function ownerWithoutToken(headers: IncomingHttpHeaders): Promise<string | null> {
    if (withoutToken !== null && (await face.access.tokens()).length > 0) withoutToken = null;
    return headers.authorization === undefined && !isForwarded(headers) ? withoutToken : null;
  }
  app.decorateRequest('caller');
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.scope === undefined) throw new Error(`${url} does not say who may ask it.`);
  });
  app.addHook('onRequest', async (request) => {
    const { host, origin } = request.headers;
    if (host === undefined || !options.hosts.has(host.toLowerCase()))
      throw new HttpProblem(421, 'host', `This face is not called ${JSON.stringify(host ?? '')}.`);
    if (origin !== undefined && !options.origins.has(origin.toLowerCase()))
      throw new HttpProblem(403, 'origin', `Pages of ${JSON.stringify(origin)} may not ask this face.`);
    const { scope } = request.routeOptions.config;
    // Unknown paths have no scope. They need a token too, so that strangers cannot probe for paths.
    if (scope === 'open') return;
    // CSRF: a page of another origin can send a form with the cookie. Browsers name the origin of a form.
    if (
      request.headers.authorization === undefined &&
      !isSafeMethod(request.method) &&
      isFromBrowser(request) &&
      origin === undefined
    )
      throw new HttpProblem(403, 'origin', 'A form has to say which page it is of.');
    const owner = await ownerWithoutToken(request.headers);
    request.caller =
      owner === null
        ? await authenticate(request, face)
        : { tokenId: null, owner, scope: 'admin', byCookie: false };
    if (!hasScope(request.caller.scope, scope ?? 'read'))
      throw new HttpProblem(
        403,
        'scope',
        `This token may ${request.caller.scope}; "${scope}" is needed here.`,
      );
  });
}

/** True if a browser sends the request: with the cookie, or for a page. */
function isFromBrowser({ headers, routeOptions: { config } }: FastifyRequest): boolean {
  return tokenOf(headers).byCookie || config.page === true;
}

/** True if a proxy forwarded the request. The sender can be on another machine. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some(
    (name) => name.startsWith('x-forwarded-') || ['forwarded', 'via', 'x-real-ip'].includes(name),
  );
}

async function authenticate({ headers }: FastifyRequest, { access, now }: ServerContext): Promise<Caller> {
  const { token: shown, byCookie } = tokenOf(headers);
  const token = shown === null ? null : await findToken(access, shown, now());
  if (token === null)
    throw new HttpProblem(401, 'token', 'Send a token that is in force, as "Authorization: Bearer …".');
  const { id: tokenId, owner, scope } = token;
  return { tokenId, owner, scope, byCookie };
}

function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

export function hasScope(has: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(has) >= SCOPES.indexOf(needed);
}

/** Session cookie with the token of a person. Scripts of a page cannot read it. */
const COOKIE = 'colligate_token';

/** Token of the Authorization header (services) or of the cookie (browsers). */
function tokenOf(headers: IncomingHttpHeaders): { token: string | null; byCookie: boolean } {
  const { authorization } = headers;
  const sent = /^Bearer ([\w-]{1,200})$/.exec(authorization ?? '')?.[1];
  if (authorization !== undefined) return { token: sent ?? null, byCookie: false };
  const token =
    new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]{1,200})(?:;|$)`).exec(headers.cookie ?? '')?.[1] ?? null;
  return { token, byCookie: token !== null };
}

/** `isSecure` is true if the browser loaded the page over TLS. It then sends the cookie over TLS alone. */
export function tokenCookie(token: string, isSecure: boolean): string {
  return [`${COOKIE}=${token}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join(
    '; ',
  );
}

export function clearedTokenCookie(isSecure: boolean): string {
  return `${tokenCookie('', isSecure)}; Max-Age=0`;
}

const ListedToken = StoredToken.omit({ hash: true }).meta({ id: 'Token' });

export const tokenRoutes: Routes = (app, { access, now }) => {
  app.get(
    '/v1/tokens',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'listTokens',
        summary: 'The tokens that are in force, and those whose time is over.',
        response: { 200: z.object({ tokens: z.array(ListedToken) }), default: Problem },
      },
    },
    async () => ({ tokens: await listTokens(access) }),
  );

  app.post(
    '/v1/tokens',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'makeToken',
        summary: 'Makes a token, which is told this once.',
        body: z.object({
          owner: Owner,
          scope: Scope,
          expiresAt: z.iso.datetime({ offset: true }).optional(),
        }),
        response: {
          201: ListedToken.extend({ token: z.string() }).meta({ id: 'MadeToken' }),
          default: Problem,
        },
      },
    },
    async ({ body: { owner, scope, expiresAt = null } }, reply) => {
      const { token, made } = await makeToken(access, { owner, scope, expiresAt }, now());
      return reply.code(201).send({ ...made, token });
    },
  );

  app.delete(
    '/v1/tokens/:id',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'revokeToken',
        summary: 'Ends a token at once, also where somebody is reading with it.',
        params: z.object({ id: z.string().max(100) }),
        response: { 204: z.undefined().describe('It is no token any more.'), default: Problem },
      },
    },
    async ({ params: { id } }, reply) => {
      if (!(await revokeToken(access, id)))
        throw new HttpProblem(404, 'token-not-found', `There is no token ${JSON.stringify(id)}.`);
      return reply.code(204).send();
    },
  );
};
