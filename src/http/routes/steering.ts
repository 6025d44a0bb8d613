import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { GivenOutline } from '../../contracts/report/given-outline';
import { Outline } from '../../contracts/report/outline';
import { MessageId, MessageResult } from '../../contracts/steering/messages';
import { InvalidRequestError } from '../../client/run-errors';
import type { RunHandle } from '../../client/run-handle';
import type { App, Face, Routes } from '../face';
import { Problem } from '../problem';
import { GivenSources, readableSources } from '../requests/given-sources';
import { ownRun, RunIdParams } from './own-run';

/** The sender's own name of the message: sent twice it is one. */
const MessageHeaders = z.object({ 'idempotency-key': MessageId.optional() });

export const steeringRoutes: Routes = (app, face) => {
  for (const [name, summary] of [
    ['pause', 'Has a run stand still when what is under way is finished.'],
    ['resume', 'Has a paused run go on.'],
    ['cancel', 'Ends a run with what it has.'],
  ] as const) {
    app.post(
      `/v1/runs/:runId/${name}`,
      {
        config: { scope: 'run' },
        schema: {
          operationId: `${name}Run`,
          summary,
          params: RunIdParams,
          response: { 202: z.undefined().describe('It was asked of the run.'), default: Problem },
        },
      },
      async (request, reply) => {
        await (await ownRun(face, request))[name]();
        return reply.code(202).send();
      },
    );
  }

  app.get(
    '/v1/runs/:runId/outline',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'runOutline',
        summary: 'The outline of a report; null before it is planned.',
        params: RunIdParams,
        response: { 200: z.object({ outline: Outline.nullable() }), default: Problem },
      },
    },
    async (request) => ({ outline: await (await ownRun(face, request)).outline() }),
  );

  message(app, face, {
    method: 'PUT',
    path: 'outline',
    summary: 'Puts an outline in the place of the planned one.',
    body: GivenOutline,
    send: (run, outline, options) => run.setOutline(outline, options),
  });
  message(app, face, {
    method: 'POST',
    path: 'outline/approval',
    summary: 'Has a report go on that waits for the approval of its outline.',
    body: z.object({}).optional(),
    send: (run, _nothing, options) => run.approveOutline(options),
  });
  message(app, face, {
    method: 'POST',
    path: 'sources',
    summary: 'Gives a report more sources.',
    uploads: true,
    body: GivenSources,
    send(run, body, options, request) {
      const sources = readableSources(body, request);
      if (sources === null)
        throw new InvalidRequestError(['sources are missing: give some, as texts, links or files']);
      return run.addSources(sources, options);
    },
  });
};

interface Message<Body extends z.ZodType> {
  method: 'POST' | 'PUT';
  path: string;
  summary: string;
  body: Body;
  uploads?: true;
  send: (
    run: RunHandle,
    body: z.output<Body>,
    options: { id?: string },
    request: Pick<FastifyRequest, 'caller' | 'gone' | 'uploaded'>,
  ) => Promise<MessageResult>;
}

function message<Body extends z.ZodType>(
  app: App,
  face: Face,
  { method, path, summary, body, uploads, send }: Message<Body>,
): void {
  app.route({
    method,
    url: `/v1/runs/:runId/${path}`,
    config: { scope: 'run', ...(uploads === undefined ? {} : { uploads }) },
    schema: {
      operationId: `${method.toLowerCase()}Run${path.replace(/(?:^|\/)(\w)/g, (_, first: string) => first.toUpperCase())}`,
      summary,
      params: RunIdParams,
      headers: MessageHeaders,
      body,
      response: { 200: MessageResult, default: Problem },
    },
    async handler(request) {
      const id = request.headers['idempotency-key'];
      const run = await ownRun(face, request);
      return send(run, request.body as z.output<Body>, id === undefined ? {} : { id }, request);
    },
  });
}
