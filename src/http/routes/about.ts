import { z } from 'zod';
import type { Routes } from '../face';
import { Problem } from '../problem';

export const aboutRoutes: Routes = (app, { client, access }) => {
  app.get(
    '/healthz',
    {
      config: { scope: 'open' },
      schema: {
        operationId: 'health',
        summary: 'Whether this process answers.',
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    {
      config: { scope: 'open' },
      schema: {
        operationId: 'readiness',
        summary: 'Whether the server of the runs and the store answer.',
        response: { 200: z.object({ status: z.literal('ok') }), default: Problem },
      },
    },
    async () => {
      await Promise.all([client.schedules(), access.tokens()]);
      return { status: 'ok' as const };
    },
  );
  app.get(
    '/openapi.json',
    {
      config: { scope: 'open' },
      schema: { hide: true },
    },
    async () => app.swagger(),
  );
};
