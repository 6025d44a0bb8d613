import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findToken } from '../../../app/access/access-tokens';
import { parsedUrl } from '../../../core/values/parsed-url';
import { signIn } from '../../../pages/sign-in';
import { noTokenCookie, tokenCookie } from '../../access/session-cookie';
import type { Routes } from '../../face';
import { sendPage, viewerOf } from './looked-at';

/** A path of this server, as browsers read it: a link to the form cannot redirect to another site. */
const OwnPath = z.string().max(1_000).catch('/').transform(ownPath);

const OWN = 'http://own.invalid';

function ownPath(given: string): string {
  const url = parsedUrl(given, OWN);
  if (url?.origin !== OWN || !given.startsWith('/')) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Without its dots a path may begin as the address of a site does.
  return parsedUrl(path, OWN)?.origin === OWN ? path : '/';
}

export const sessionPages: Routes = (app, { access, now }) => {
  const open = { scope: 'open', page: true } as const;

  app.get(
    '/sign-in',
    { config: open, schema: { hide: true, querystring: z.object({ to: OwnPath.default('/') }) } },
    async (request, reply) =>
      sendPage(reply, signIn(viewerOf(request), { to: request.query.to, wasRefused: false })),
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
        return sendPage(reply, signIn(viewerOf(request), { to, wasRefused: true }), 401);
      return reply.header('set-cookie', tokenCookie(token.trim(), isOverTls(request))).redirect(to, 303);
    },
  );

  app.post('/sign-out', { config: open, schema: { hide: true } }, async (request, reply) =>
    reply.header('set-cookie', noTokenCookie(isOverTls(request))).redirect('/sign-in', 303),
  );
};

/** A form names the origin of its page. */
function isOverTls({ headers: { origin } }: FastifyRequest): boolean {
  return origin !== undefined && origin.startsWith('https:');
}
