import { z } from 'zod';
import { RunNotFoundError } from '../../client/run-errors';
import type { Routes } from '../face';
import { sharedLooks } from '../following/shared-looks';
import { Problem } from '../problem';

/** Nobody's: that there is none is an answer of the server as well. */
const NO_RUN = 'readyz';

export const aboutRoutes: Routes = (app, { client, access }) => {
  // Anybody may ask: however many do, there is one look at a time, which costs no more where there are more runs.
  const look = sharedLooks(async () => {
    await Promise.all([client.run(NO_RUN).owner().catch(unlessNotFound), access.tokens()]);
  });
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
      await look('');
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

function unlessNotFound(error: unknown): void {
  if (!(error instanceof RunNotFoundError)) throw error;
}
