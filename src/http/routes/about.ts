import { z } from 'zod';
import type { Routes } from '../face';
import { Problem, problem } from '../problem';

export const aboutRoutes: Routes = (app, { whyNotReady }) => {
  app.get(
    '/healthz',
    {
      config: { scope: 'open' },
      schema: {
        operationId: 'health',
        summary: 'Whether this process lives.',
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
        summary:
          'Whether runs can be started and carried out: Temporal answers, workers poll, the store is written, the disks have room.',
        response: { 200: z.object({ status: z.literal('ok') }), default: Problem },
      },
    },
    async (_request, reply) => {
      const reasons = await whyNotReady();
      if (reasons.length === 0) return { status: 'ok' as const };
      return reply
        .code(503)
        .type('application/problem+json')
        .send(problem(503, 'not-ready', reasons.join(' '), reasons));
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
