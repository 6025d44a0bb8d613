import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { findToken } from '../../app/access/access-tokens';
import type { App, Caller, Face } from '../face';
import { HttpProblem } from '../problem';
import { shownBy } from './session-cookie';
import { allows } from './allows';

export interface GuardOptions {
  /** `host:port` as requests may name this face, and the origins of pages that may ask it. */
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  /** The owner of runs that this machine starts without a token, until the first token is seen; null where each request needs one. */
  withoutToken: string | null;
}

/**
 * The one way in: for each route, stream and tool. Who asks by another name than this face has, or from a page of another origin, is
 * refused before anything is looked at; then comes the token, then what it allows.
 */
export function guard(app: App, face: Face, options: GuardOptions): void {
  let { withoutToken } = options;
  /** Closes for good with the first token: one that is revoked, or a store that is emptied, opens nothing. */
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
    const owner = await ownerWithoutToken(request.headers);
    request.caller =
      owner === null
        ? await callerOf(request, face)
        : { tokenId: null, owner, scope: 'admin', byCookie: false };
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

/** Whether a proxy passed the request on: its sender need not be on this machine. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some(
    (name) => name.startsWith('x-forwarded-') || ['forwarded', 'via', 'x-real-ip'].includes(name),
  );
}

async function callerOf({ headers }: FastifyRequest, { access, now }: Face): Promise<Caller> {
  const { token: shown, byCookie } = shownBy(headers);
  const token = shown === null ? null : await findToken(access, shown, now());
  if (token === null)
    throw new HttpProblem(401, 'token', 'Send a token that is in force, as "Authorization: Bearer …".');
  const { id: tokenId, owner, scope } = token;
  return { tokenId, owner, scope, byCookie };
}

/** Whether a method only looks (RFC 9110, 9.2.1). */
function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
