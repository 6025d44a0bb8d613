import type { FastifyRequest } from 'fastify';
import { findToken } from '../../app/access/access-tokens';
import type { App, Caller, Face } from '../face';
import { HttpProblem } from '../problem';
import { shownBy } from './session-cookie';
import { allows } from './allows';
import { isSafe } from './is-safe';

export interface GuardOptions {
  /** `host:port` as requests may name this face, and the origins of pages that may ask it. */
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  /** Whose runs they are that are started by this machine while there is no token at all; null where everybody needs one. */
  withoutToken: string | null;
}

/**
 * The one way in: for each route, stream and tool. Who asks by another name than this face has, or from a page of another origin, is
 * refused before anything is looked at; then comes the token, then what it allows.
 */
export function guard(app: App, face: Face, options: GuardOptions): void {
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
    // What is not there is told to those alone who may look.
    if (scope === 'open') return;
    // A page of another origin can have a form sent with the cookie; a browser says whose page it is.
    if (
      request.headers.authorization === undefined &&
      !isSafe(request.method) &&
      isOfAPerson(request) &&
      origin === undefined
    )
      throw new HttpProblem(403, 'origin', 'A form has to say which page it is of.');
    request.caller = await callerOf(request, face, options);
    if (!allows(request.caller.scope, scope ?? 'read'))
      throw new HttpProblem(
        403,
        'scope',
        `This token may ${request.caller.scope}; "${scope}" is needed here.`,
      );
  });
}

/** Whether a browser asks for somebody: with the cookie, or as a page does. */
function isOfAPerson({ headers, routeOptions: { config } }: FastifyRequest): boolean {
  return shownBy(headers).byCookie || config.page === true;
}

async function callerOf(
  { headers }: FastifyRequest,
  { access, now }: Face,
  { withoutToken }: GuardOptions,
): Promise<Caller> {
  const { token: shown, byCookie } = shownBy(headers);
  if (headers.authorization === undefined && withoutToken !== null && (await access.tokens()).length === 0)
    return { tokenId: null, owner: withoutToken, scope: 'admin', byCookie: false };
  const token = shown === null ? null : await findToken(access, shown, now());
  if (token === null)
    throw new HttpProblem(401, 'token', 'Send a token that is in force, as "Authorization: Bearer …".');
  const { id: tokenId, owner, scope } = token;
  return { tokenId, owner, scope, byCookie };
}
