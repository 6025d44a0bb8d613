import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { InvalidRequestError } from '../client/client-errors';
import type { RunHandle, RunSummary } from '../client/run-handle';
import { GivenOutline, Outline } from '../contracts/outline';
import { MessageId, MessageResult, Progress, RunKind, RunStatus, Warning } from '../contracts/run';
import { RunEstimate } from '../contracts/run-input';
import { Problem } from './problem';
import {
  type App,
  type Caller,
  canSee,
  ownProgress,
  ownRun,
  type Routes,
  RunIdParams,
  type ServerContext,
} from './server-context';
import { estimateRunFor, GivenSources, readableSources, RunBody, startRunFor } from './start-requests';

export interface RunListQuery {
  kind?: RunKind | undefined;
  status?: RunStatus | undefined;
  search?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** The runs that the caller may see, newest first. */
export async function listRunsPage(
  { client }: ServerContext,
  caller: Caller,
  { kind, status, search, cursor, limit }: RunListQuery,
): Promise<{ runs: RunSummary[]; next: string | null }> {
  const wanted = search?.toLowerCase();
  const runs = (await client.list())
    .filter(
      (run) =>
        canSee(caller, run.owner ?? null) &&
        (kind === undefined || run.kind === kind) &&
        (status === undefined || run.status === status) &&
        (wanted === undefined || run.question.toLowerCase().includes(wanted)),
    )
    // Sorted by cursor, so that runs that started at the same time have a fixed order.
    .sort((one, other) => (cursorOf(one) < cursorOf(other) ? 1 : -1));
  // A new run comes before the cursor and shifts nothing.
  const from = cursor === undefined ? 0 : runs.findIndex((run) => cursorOf(run) < cursor);
  const page = from < 0 ? [] : runs.slice(from, from + limit);
  const last = page.at(-1);
  return { runs: page, next: last === undefined || from + limit >= runs.length ? null : cursorOf(last) };
}

function cursorOf({ startedAt, runId }: { startedAt: string; runId: string }): string {
  return `${startedAt} ${runId}`;
}

const MAX_PAGE_SIZE = 100;

const StartedRun = z
  .object({
    runId: z.string(),
    attached: z.boolean(),
    warnings: z.array(Warning),
    /** Null if the run asks no model, or if the cost is unknown. */
    estimate: RunEstimate.nullable().optional(),
  })
  .meta({ id: 'StartedRun' });
type StartedRun = z.infer<typeof StartedRun>;

const EstimatedRun = z
  .object({
    kind: RunKind,
    sources: z.int().nonnegative().nullable(),
    /** Null if the run asks no model, or has to search for its sources. */
    estimate: RunEstimate.nullable(),
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
        body: RunBody,
        response: { 201: StartedRun, default: Problem },
      },
    },
    async (request, reply) => {
      const started = await startRunFor(face, request, request.body, request.headers['idempotency-key']);
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
        body: RunBody,
        response: { 200: EstimatedRun, default: Problem },
      },
    },
    async (request) => estimateRunFor(face, request, request.body),
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
          limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(MAX_PAGE_SIZE),
        }),
        response: {
          200: z.object({ runs: z.array(ListedRun), next: z.string().nullable() }).meta({ id: 'ListOfRuns' }),
          default: Problem,
        },
      },
    },
    async ({ caller, query }) => listRunsPage(face, caller, query),
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

/** The idempotency key is the message id. A message with a known id is applied once. */
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

  addMessageRoute(app, face, {
    method: 'PUT',
    path: 'outline',
    summary: 'Puts an outline in the place of the planned one.',
    body: GivenOutline,
    send: (run, outline, options) => run.setOutline(outline, options),
  });
  addMessageRoute(app, face, {
    method: 'POST',
    path: 'outline/approval',
    summary: 'Has a report go on that waits for the approval of its outline.',
    body: z.object({}).optional(),
    send: (run, _nothing, options) => run.approveOutline(options),
  });
  addMessageRoute(app, face, {
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

interface MessageRoute<Body extends z.ZodType> {
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

function addMessageRoute<Body extends z.ZodType>(
  app: App,
  face: ServerContext,
  { method, path, summary, body, uploads, send }: MessageRoute<Body>,
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
