import { z } from 'zod';
import { RunKind } from '../../contracts/kinds';
import { RunEstimate } from '../../contracts/run/estimate';
import { Progress, RunStatus, Warning } from '../../contracts/run/run';
import type { Routes } from '../face';
import { Problem } from '../problem';
import { AskedRun } from '../requests/run-request';
import { estimateFor } from '../requests/estimate-for';
import { startFor } from '../requests/start-for';
import { listedRuns } from './listed-runs';
import { ownProgress, ownRun, RunIdParams } from './own-run';

const MOST_A_PAGE = 100;

const StartedRun = z
  .object({
    runId: z.string(),
    /** True where the run was going on, or had ended, already. */
    attached: z.boolean(),
    warnings: z.array(Warning),
    /** What it is expected to ask of models; null where none is asked, and where it is not known. */
    estimate: RunEstimate.nullable().optional(),
  })
  .meta({ id: 'StartedRun' });
type StartedRun = z.infer<typeof StartedRun>;

const EstimatedRun = z
  .object({
    kind: RunKind,
    sources: z.int().nonnegative().nullable(),
    /** Null where no model is asked, and where a search is to find the sources. */
    estimate: RunEstimate.nullable(),
    /** The estimate as a sentence. */
    told: z.string(),
    warnings: z.array(Warning),
  })
  .meta({ id: 'EstimatedRun' });

const ListedRun = z
  .object({
    runId: z.string(),
    kind: RunKind,
    status: RunStatus,
    question: z.string(),
    startedAt: z.string(),
    closedAt: z.string().nullable(),
    schedule: z.string().optional(),
    owner: z.string().optional(),
  })
  .meta({ id: 'ListedRun' });

export const runRoutes: Routes = (app, face) => {
  app.post(
    '/v1/runs',
    {
      config: { scope: 'run', uploads: true },
      schema: {
        operationId: 'startRun',
        summary: 'Starts a run. The same idempotency key of the same owner is the same run.',
        headers: z.object({ 'idempotency-key': z.string().min(1).max(200).optional() }),
        body: AskedRun,
        response: { 201: StartedRun, default: Problem },
      },
    },
    async (request, reply) => {
      const started = await startFor(face, request, request.body, request.headers['idempotency-key']);
      return reply
        .code(201)
        .header('location', `/v1/runs/${encodeURIComponent(started.runId)}`)
        .send(started);
    },
  );

  app.post(
    '/v1/estimates',
    {
      config: { scope: 'run', uploads: true },
      schema: {
        operationId: 'estimateRun',
        summary: 'What a run is expected to ask of models. Its sources are read; nothing is started or kept.',
        body: AskedRun,
        response: { 200: EstimatedRun, default: Problem },
      },
    },
    async (request) => estimateFor(face, request, request.body),
  );

  app.get(
    '/v1/runs',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listRuns',
        summary: 'Your runs, newest first.',
        querystring: z.object({
          kind: RunKind.optional(),
          status: RunStatus.optional(),
          search: z.string().max(200).optional().describe('words of the question'),
          cursor: z.string().max(2_000).optional().describe('`next` of the page before'),
          limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(MOST_A_PAGE),
        }),
        response: {
          200: z.object({ runs: z.array(ListedRun), next: z.string().nullable() }).meta({ id: 'ListOfRuns' }),
          default: Problem,
        },
      },
    },
    async ({ caller, query }) => listedRuns(face, caller, query),
  );

  app.get(
    '/v1/runs/:runId',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'runProgress',
        summary: 'Where a run is.',
        params: RunIdParams,
        response: {
          200: Progress.extend({ note: z.string().optional() }).meta({ id: 'Progress' }),
          default: Problem,
        },
      },
    },
    async (request) => ownProgress(face, request),
  );

  app.delete(
    '/v1/runs/:runId',
    {
      config: { scope: 'run' },
      schema: {
        operationId: 'deleteRun',
        summary: 'Deletes an ended run with all that it left.',
        params: RunIdParams,
        response: { 204: z.undefined().describe('It is deleted.'), default: Problem },
      },
    },
    async (request, reply) => {
      const { runId } = await ownRun(face, request);
      await face.client.delete(runId);
      return reply.code(204).send();
    },
  );
};
