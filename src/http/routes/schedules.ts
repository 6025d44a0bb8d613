import { z } from 'zod';
import { OVERLAPS } from '../../client/schedules/schedule-request';
import { RunKind } from '../../contracts/kinds';
import { FiringMemo } from '../../contracts/schedule/scheduled-start';
import { Warning } from '../../contracts/run/run';
import type { Routes } from '../face';
import { Problem } from '../problem';
import {
  AskedSchedule,
  NameParams,
  ownSchedule,
  ownSchedules,
  scheduleFor,
  Times,
} from '../requests/schedule-for';

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

const ToldSchedule = ListedSchedule.extend({
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
        body: AskedSchedule,
        response: {
          201: z.object({ name: z.string(), warnings: z.array(Warning) }).meta({ id: 'CreatedSchedule' }),
          default: Problem,
        },
      },
    },
    async (request, reply) => {
      const created = await scheduleFor(face, request, request.body);
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
        response: { 200: ToldSchedule, default: Problem },
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
