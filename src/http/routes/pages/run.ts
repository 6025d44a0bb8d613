import { faceTexts } from '../../../texts/face';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CLOSED_STATUSES } from '../../../core/run/closed-statuses';
import type { RunHandle } from '../../../client/run-handle';
import { pageOfRun, type RunShown } from '../../../pages/page-of-run';
import { runPath } from '../../../pages/served-page';
import type { Face, Routes } from '../../face';
import { ownRun, RunIdParams } from '../own-run';
import { sendPage, viewerOf } from './looked-at';

const DONE = ['pause', 'resume', 'cancel'] as const;

export const runPages: Routes = (app, face) => {
  app.get(
    '/runs/:runId',
    {
      config: { scope: 'read', page: true },
      schema: {
        hide: true,
        params: RunIdParams,
        querystring: z.object({ done: z.enum(DONE).optional().catch(undefined) }),
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const { done } = request.query;
      const told = done === undefined ? null : faceTexts.done[done];
      return sendPage(reply, pageOfRun(viewer, { ...(await shownRun(face, request)), told }));
    },
  );

  app.get(
    '/runs/:runId/result',
    { config: { scope: 'read', page: true }, schema: { hide: true, params: RunIdParams } },
    async (request, reply) => {
      const { runId } = await ownRun(face, request);
      const { content } = await face.client.export(runId, 'html');
      return sendPage(reply, String(content));
    },
  );

  for (const [name, act] of Object.entries(ACTIONS)) {
    app.post(
      `/runs/:runId/${name}`,
      {
        config: { scope: 'run', page: true },
        schema: { hide: true, params: RunIdParams, body: z.record(z.string(), z.unknown()).nullish() },
      },
      async (request, reply) => {
        const to = await act(await ownRun(face, request), face, request);
        return reply.redirect(to, 303);
      },
    );
  }
};

type Action = (run: RunHandle, face: Face, request: Pick<FastifyRequest, 'body'>) => Promise<string>;

const ACTIONS: Readonly<Record<string, Action>> = {
  ...Object.fromEntries(
    DONE.map((name): [string, Action] => [
      name,
      async (run) => {
        await run[name]();
        return runPath(run.runId, `?done=${name}`);
      },
    ]),
  ),
  async approve(run) {
    await run.approveOutline();
    return runPath(run.runId);
  },
  async delete({ runId }, { client }) {
    await client.delete(runId);
    return '/';
  },
};

async function shownRun(
  face: Face,
  request: FastifyRequest & { params: z.infer<typeof RunIdParams> },
): Promise<Omit<RunShown, 'told'>> {
  const { runId } = await ownRun(face, request);
  const soFar = await face.client.soFar(runId);
  const { status } = soFar.snapshot;
  if (!CLOSED_STATUSES.has(status)) {
    return { soFar, hasResult: false };
  }
  return { soFar, hasResult: status !== 'failed' };
}
