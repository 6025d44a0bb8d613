import { z } from 'zod';
import { listTokens, makeToken, revokeToken } from '../../app/access/access-tokens';
import { KeptToken, Owner, Scope } from '../../contracts/access/token';
import type { Routes } from '../face';
import { HttpProblem, Problem } from '../problem';

const ListedToken = KeptToken.omit({ hash: true }).meta({ id: 'Token' });

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
