import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findToken, makeToken, revokeToken } from '../../../app/access/access-tokens';
import { signIn } from '../../../pages/sign-in';
import type { AuditOptions } from '../../access/audit';
import type { GuardOptions } from '../../access/guard';
import type { OpenId, SignedIn } from '../../access/openid';
import { cookie, cookieOf, COOKIES, noCookie } from '../../access/session-cookie';
import type { Face, Routes } from '../../face';
import { HttpProblem } from '../../problem';
import { sendPage, viewerOf } from './looked-at';

export interface SessionOptions extends Pick<GuardOptions, 'origins'>, AuditOptions {
  /** By whom people may sign in besides with tokens; null where by nobody. */
  openId: OpenId | null;
  /** For how long they are signed in so. */
  sessionHours: number;
}

const BACK = '/sign-in/openid/back';
const HOUR_S = 3_600;
/** For how long somebody may be at the provider. */
const ASKED_S = 600;

/** A path of this face: nobody is sent elsewhere by a link to the signing in. */
const OwnPath = z
  .string()
  .max(1_000)
  .regex(/^\/(?![/\\])/)
  .catch('/');

export const sessionPages =
  ({ origins, openId, sessionHours, audit }: SessionOptions): Routes =>
  (app, face) => {
    const { access, now } = face;
    const open = { scope: 'open', page: true } as const;
    const asks = { openId: openId !== null };

    app.get(
      '/sign-in',
      { config: open, schema: { hide: true, querystring: z.object({ to: OwnPath.default('/') }) } },
      async (request, reply) =>
        sendPage(reply, signIn(viewerOf(request), { to: request.query.to, wasRefused: false, ...asks })),
    );

    app.post(
      '/sign-in',
      {
        config: open,
        schema: { hide: true, body: z.object({ token: z.string().max(200), to: OwnPath.default('/') }) },
      },
      async (request, reply) => {
        const { token, to } = request.body;
        if ((await findToken(access, token.trim(), now())) === null)
          return sendPage(reply, signIn(viewerOf(request), { to, wasRefused: true, ...asks }), 401);
        const isSecure = isOverTls(request);
        return reply
          .header('set-cookie', [
            cookie(COOKIES.typed, token.trim(), { isSecure }),
            noCookie(COOKIES.made, isSecure),
          ])
          .redirect(to, 303);
      },
    );

    app.post('/sign-out', { config: open, schema: { hide: true } }, async (request, reply) => {
      const isSecure = isOverTls(request);
      const made = cookieOf(request.headers, COOKIES.made);
      // Nobody else has it.
      const token = made === null ? null : await findToken(access, made, now());
      if (token !== null) await revokeToken(access, token.id);
      return reply
        .header('set-cookie', [noCookie(COOKIES.typed, isSecure), noCookie(COOKIES.made, isSecure)])
        .redirect('/sign-in', 303);
    });

    if (openId === null) return;

    app.get(
      '/sign-in/openid',
      { config: open, schema: { hide: true, querystring: z.object({ to: OwnPath.default('/') }) } },
      async (request, reply) => {
        const origin = originOf(request, origins);
        const { address, asked } = await openId.ask(`${origin}${BACK}`, request.query.to);
        return reply
          .header('set-cookie', cookie(COOKIES.asked, asked, { isSecure: isTls(origin), seconds: ASKED_S }))
          .redirect(address, 303);
      },
    );

    app.get(BACK, { config: open, schema: { hide: true } }, async (request, reply) => {
      const origin = originOf(request, origins);
      const isSecure = isTls(origin);
      void reply.header('set-cookie', noCookie(COOKIES.asked, isSecure));
      const address = new URL(request.url, origin);
      const signedIn = await openId.answered(address, cookieOf(request.headers, COOKIES.asked));
      if (signedIn === null)
        return sendPage(reply, signIn(viewerOf(request), { to: '/', wasRefused: true, ...asks }), 401);
      const token = await session(face, signedIn, async ({ id, owner }) =>
        audit({ at: now().toISOString(), request: request.id, owner, token: id, method: 'GET', path: BACK }),
      );
      return reply
        .header('set-cookie', cookie(COOKIES.made, token, { isSecure, seconds: sessionHours * HOUR_S }))
        .redirect(signedIn.to, 303);
    });

    /** A token of somebody's that ends by itself; it is told in the audit log before it lets anybody in. */
    async function session(
      { access, now }: Pick<Face, 'access' | 'now'>,
      { owner, scope }: SignedIn,
      tell: (made: { id: string; owner: string }) => Promise<void>,
    ): Promise<string> {
      const at = now();
      const expiresAt = new Date(at.getTime() + sessionHours * HOUR_S * 1_000).toISOString();
      const { token, made } = await makeToken(access, { owner, scope, expiresAt }, at);
      try {
        await tell(made);
      } catch (error) {
        await revokeToken(access, made.id);
        throw error;
      }
      return token;
    }
  };

/** By which address this face is asked, behind whatever proxy it stands. */
function originOf({ headers: { host = '' } }: FastifyRequest, origins: ReadonlySet<string>): string {
  const named = [...origins].filter((origin) => new URL(origin).host === host.toLowerCase());
  // Where both are named, nobody is sent from TLS to where there is none.
  const origin = named.find(isTls) ?? named[0];
  if (origin === undefined)
    throw new HttpProblem(421, 'host', 'Nobody is sent back to where this face is not.');
  return origin;
}

/** A page tells its own origin. */
function isOverTls({ headers: { origin } }: FastifyRequest): boolean {
  return origin !== undefined && isTls(origin);
}

function isTls(origin: string): boolean {
  return origin.startsWith('https:');
}
