import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { InvalidRequestError, ScheduleNotFoundError } from '../client/client-errors';
import {
  type DescribedSchedule,
  OVERLAPS,
  type ScheduledRequest,
  type ScheduleHandle,
  type ScheduleSummary,
  type StartResult,
} from '../client/run-requests';
import { RunKind, Warning } from '../contracts/run';
import { FiringMemo } from '../contracts/start';
import { Problem } from './problem';
import {
  type Caller,
  canSee,
  createOwnerCounter,
  padResponseTime,
  type Routes,
  type ServerContext,
  tooManyProblem,
} from './server-context';
import { type RequestedRun, RunBody, toRunRequest } from './start-requests';

const NameParams = z.object({ name: z.string().min(1).max(200) });

const Times = z.union([
  z.object({ cron: z.string().max(200), timeZone: z.string().max(100).optional() }),
  z.object({ everyMs: z.number() }),
]);

const ScheduleBody = z
  .object({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,90}$/)
      .describe('1 to 91 letters, digits, dots, dashes and underscores'),
    times: Times,
    run: RunBody,
    overlap: z.enum(OVERLAPS).optional(),
    catchUpMs: z.number().optional(),
    jitterMs: z.number().optional(),
    note: z.string().max(4_000).optional(),
  })
  .meta({ id: 'AskedSchedule' });

/** Schedules in creation: concurrent requests would all see the same list. */
const underWay = createOwnerCounter();

/** The name gets a suffix of the owner. */
async function createScheduleFor(
  face: ServerContext,
  request: Pick<FastifyRequest, 'caller' | 'gone' | 'uploaded'>,
  { name: asked, run, ...schedule }: z.infer<typeof ScheduleBody>,
): Promise<{ name: string; warnings: StartResult['warnings'] }> {
  rejectMixedSources(run, request);
  const most = face.limits.schedules;
  const { caller } = request;
  const own = (await face.client.schedules()).filter(({ owner }) => owner === caller.owner);
  const leave = underWay.enter(caller.owner, most - own.length);
  if (leave === null) throw tooManyProblem('schedules', most, 'Delete one first.');
  try {
    const requested = await toRunRequest(face, run, request);
    const name = nameOf(asked, request.caller.owner);
    await face.client.createSchedule({ ...schedule, name, run: toScheduledRequest(requested) });
    return { name, warnings: requested.warnings };
  } finally {
    leave();
  }
}

async function ownSchedules({ client }: ServerContext, caller: Caller): Promise<ScheduleSummary[]> {
  return (await client.schedules()).filter(({ owner }) => canSee(caller, owner ?? null));
}

/** For callers who may see it. For others it fails as for an unknown name. */
async function ownSchedule(
  { client }: ServerContext,
  { caller, params: { name } }: Pick<FastifyRequest, 'caller'> & { params: z.infer<typeof NameParams> },
): Promise<{ handle: ScheduleHandle; described: DescribedSchedule }> {
  const handle = client.schedule(name);
  const asked = performance.now();
  const described = await handle.describe().catch((error: unknown) => {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  });
  if (described !== null && canSee(caller, described.owner ?? null)) return { handle, described };
  await padResponseTime(asked);
  throw new ScheduleNotFoundError(name);
}

/** Names are global on the server. The suffix prevents clashes, and hides the names of other owners. */
function nameOf(asked: string, owner: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([owner, asked]))
    .digest('hex');
  return `${asked}-${digest.slice(0, 8)}`;
}

function toScheduledRequest(requested: RequestedRun): ScheduledRequest {
  switch (requested.kind) {
    case 'report':
      return { report: requested.request };
    case 'answer':
      return { answer: requested.request };
    case 'brief':
      return { brief: requested.request };
  }
}

/** A brief reads everything now, because it depends on its subtopics. */
function rejectMixedSources(
  { kind, sources = [], links = [] }: RunBody,
  { uploaded }: Pick<FastifyRequest, 'uploaded'>,
): void {
  const kept = sources.length + (uploaded?.paths.length ?? 0);
  if (kind !== 'brief' && links.length > 0 && kept > 0)
    throw new InvalidRequestError([
      'links are read whenever a schedule fires, and texts and files are kept as they are now: give one or the other',
    ]);
}

const ListedSchedule = z
  .object({
    name: z.string(),
    kind: RunKind,
    question: z.string(),
    engine: z.string(),
    paths: z.array(z.string()).describe('what is read when it fires'),
    times: Times,
    paused: z.boolean(),
    note: z.string().nullable(),
    next: z.array(z.string()),
    owner: z.string().optional(),
  })
  .meta({ id: 'ListedSchedule' });

const ScheduleDetails = ListedSchedule.extend({
  overlap: z.enum(OVERLAPS),
  catchUpMs: z.number(),
  createdAt: z.string(),
  counts: z.object({ fired: z.int(), skipped: z.int(), missed: z.int() }),
  firings: z.array(
    FiringMemo.pick({ status: true, problem: true }).extend({ runId: z.string(), at: z.string() }),
  ),
}).meta({ id: 'Schedule' });

export const scheduleRoutes: Routes = (app, face) => {
  app.post(
    '/v1/schedules',
    {
      config: { scope: 'run', uploads: true },
      schema: {
        operationId: 'createSchedule',
        summary:
          'Has a run started again and again. Its answer has the name by which it is known from then on.',
        body: ScheduleBody,
        response: {
          201: z.object({ name: z.string(), warnings: z.array(Warning) }).meta({ id: 'CreatedSchedule' }),
          default: Problem,
        },
      },
    },
    async (request, reply) => {
      const created = await createScheduleFor(face, request, request.body);
      return reply.code(201).header('location', `/v1/schedules/${created.name}`).send(created);
    },
  );

  app.get(
    '/v1/schedules',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listSchedules',
        summary: 'Your schedules, by name.',
        response: { 200: z.object({ schedules: z.array(ListedSchedule) }), default: Problem },
      },
    },
    async ({ caller }) => ({ schedules: await ownSchedules(face, caller) }),
  );

  app.get(
    '/v1/schedules/:name',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'schedule',
        summary: 'A schedule, with the times that it has fired.',
        params: NameParams,
        response: { 200: ScheduleDetails, default: Problem },
      },
    },
    async (request) => (await ownSchedule(face, request)).described,
  );

  for (const [name, summary] of [
    ['pause', 'Has a schedule fire no more until it is resumed.'],
    ['resume', 'Has a paused schedule fire again.'],
    ['trigger', 'Has a schedule fire now, besides its times.'],
  ] as const) {
    app.post(
      `/v1/schedules/:name/${name}`,
      {
        config: { scope: 'run' },
        schema: {
          operationId: `${name}Schedule`,
          summary,
          params: NameParams,
          response: { 204: z.undefined().describe('It is done.'), default: Problem },
        },
      },
      async (request, reply) => {
        const { handle, described } = await ownSchedule(face, request);
        if (name === 'trigger') await face.runLimit.admit(described.owner ?? request.caller.owner);
        await handle[name]();
        return reply.code(204).send();
      },
    );
  }

  app.delete(
    '/v1/schedules/:name',
    {
      config: { scope: 'run' },
      schema: {
        operationId: 'deleteSchedule',
        summary: 'Deletes a schedule; its runs stay.',
        params: NameParams,
        response: { 204: z.undefined().describe('It is deleted.'), default: Problem },
      },
    },
    async (request, reply) => {
      await (await ownSchedule(face, request)).handle.delete();
      return reply.code(204).send();
    },
  );
};
