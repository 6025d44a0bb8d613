import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { InvalidRequestError } from '../../client/run-errors';
import type { TakenUp } from '../../client/run-request';
import { ScheduleNotFoundError } from '../../client/schedules/schedule-errors';
import {
  type DescribedSchedule,
  OVERLAPS,
  type ScheduledRequest,
  type ScheduleHandle,
  type ScheduleSummary,
} from '../../client/schedules/schedule-request';
import type { Caller, Face } from '../face';
import { countByOwner, tooMany } from '../access/limits';
import { evenly, sees } from '../routes/own-run';
import { AskedRun, type RequestedRun, requestOf } from './run-request';

export const NameParams = z.object({ name: z.string().min(1).max(200) });

export const Times = z.union([
  z.object({ cron: z.string().max(200), timeZone: z.string().max(100).optional() }),
  z.object({ everyMs: z.number() }),
]);

export const AskedSchedule = z
  .object({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,90}$/)
      .describe('1 to 91 letters, digits, dots, dashes and underscores'),
    times: Times,
    run: AskedRun,
    overlap: z.enum(OVERLAPS).optional(),
    catchUpMs: z.number().optional(),
    jitterMs: z.number().optional(),
    note: z.string().max(4_000).optional(),
  })
  .meta({ id: 'AskedSchedule' });

/** Schedules whose sources are being read: a burst of requests would all see the same list. */
const underWay = countByOwner();

/** Has a run of whoever asks started again and again. Its name is theirs, with a part that nobody else's has. */
export async function scheduleFor(
  face: Face,
  request: Pick<FastifyRequest, 'caller' | 'gone' | 'uploaded'>,
  { name: asked, run, ...schedule }: z.infer<typeof AskedSchedule>,
): Promise<{ name: string; warnings: TakenUp['warnings'] }> {
  refuseMixed(run, request);
  const most = face.limits.schedules;
  const { caller } = request;
  const own = (await face.client.schedules()).filter(({ owner }) => owner === caller.owner);
  const leave = underWay.enter(caller.owner, most - own.length);
  if (leave === null) throw tooMany('schedules', most, 'Delete one first.');
  try {
    const requested = await requestOf(face, run, request);
    const name = nameOf(asked, request.caller.owner);
    await face.client.createSchedule({ ...schedule, name, run: scheduled(requested) });
    return { name, warnings: requested.warnings };
  } finally {
    leave();
  }
}

export async function ownSchedules({ client }: Face, caller: Caller): Promise<ScheduleSummary[]> {
  return (await client.schedules()).filter(({ owner }) => sees(caller, owner ?? null));
}

/** The schedule of a request, for those alone who see it: for others there is none, as for a name that nobody has. */
export async function ownSchedule(
  { client }: Face,
  { caller, params: { name } }: Pick<FastifyRequest, 'caller'> & { params: z.infer<typeof NameParams> },
): Promise<{ handle: ScheduleHandle; described: DescribedSchedule }> {
  const handle = client.schedule(name);
  const asked = performance.now();
  const described = await handle.describe().catch((error: unknown) => {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  });
  if (described !== null && sees(caller, described.owner ?? null)) return { handle, described };
  await evenly(asked);
  throw new ScheduleNotFoundError(name);
}

/** Names are one room on the server: with the owner's part nobody learns of another's, and nobody takes another's. */
function nameOf(asked: string, owner: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([owner, asked]))
    .digest('hex');
  return `${asked}-${digest.slice(0, 8)}`;
}

function scheduled(requested: RequestedRun): ScheduledRequest {
  switch (requested.kind) {
    case 'report':
      return { report: requested.request };
    case 'answer':
      return { answer: requested.request };
    case 'brief':
      return { brief: requested.request };
  }
}

/** Of a brief everything is read now: it is about what its subtopics say. */
function refuseMixed(
  { kind, sources = [], links = [] }: AskedRun,
  { uploaded }: Pick<FastifyRequest, 'uploaded'>,
): void {
  const kept = sources.length + (uploaded?.paths.length ?? 0);
  if (kind !== 'brief' && links.length > 0 && kept > 0)
    throw new InvalidRequestError([
      'links are read whenever a schedule fires, and texts and files are kept as they are now: give one or the other',
    ]);
}
