import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { runPath } from '../../../pages/served-page';
import { startPage } from '../../../pages/start-page';
import type { Routes } from '../../face';
import { askedOf, RunForm } from '../../requests/run-form';
import { startFor } from '../../requests/start-for';
import { latestRuns } from '../latest-runs';
import { sendPage, viewerOf } from './looked-at';

const Form = RunForm.extend({ key: z.string().min(1).max(100) });

export const startPages: Routes = (app, face) => {
  app.get(
    '/start',
    { config: { scope: 'run', page: true }, schema: { hide: true } },
    async (request, reply) => {
      const latest = await latestRuns(face, request.caller);
      return sendPage(reply, startPage(viewerOf(request), { key: randomUUID(), latest }));
    },
  );

  app.post(
    '/start',
    { config: { scope: 'run', page: true, uploads: 'form' }, schema: { hide: true, body: Form } },
    async (request, reply) => {
      const { key } = request.body;
      const { runId } = await startFor(face, request, askedOf(request.body), key);
      return reply.redirect(runPath(runId), 303);
    },
  );
};
