import { z } from 'zod';
import { listOfSchedules, schedulePath } from '../../../pages/list-of-schedules';
import { newSchedule } from '../../../pages/new-schedule';
import { pageOfSchedule } from '../../../pages/page-of-schedule';
import type { Routes } from '../../face';
import { askedOf, RunForm, taken } from '../../requests/run-form';
import {
  AskedSchedule,
  NameParams,
  ownSchedule,
  ownSchedules,
  scheduleFor,
} from '../../requests/schedule-for';
import { sendPage, viewerOf } from './looked-at';

/** A cron expression, where there is one, stands instead of the interval. */
const Form = RunForm.extend({
  name: z.string(),
  everyMs: z.coerce.number(),
  cron: z.string().default(''),
  timeZone: z.string().default(''),
});

export const schedulePages: Routes = (app, face) => {
  app.get(
    '/schedules',
    { config: { scope: 'read', page: true }, schema: { hide: true } },
    async (request, reply) => {
      const own = await ownSchedules(face, request.caller);
      return sendPage(reply, listOfSchedules(viewerOf(request), own));
    },
  );

  app.get(
    '/schedules/new',
    { config: { scope: 'run', page: true }, schema: { hide: true } },
    async (request, reply) => sendPage(reply, newSchedule(viewerOf(request))),
  );

  app.post(
    '/schedules',
    { config: { scope: 'run', page: true, uploads: 'form' }, schema: { hide: true, body: Form } },
    async (request, reply) => {
      const { name, everyMs, cron, timeZone, ...run } = request.body;
      const times =
        cron.trim() === ''
          ? { everyMs }
          : { cron: cron.trim(), ...(timeZone.trim() === '' ? {} : { timeZone: timeZone.trim() }) };
      const asked = taken(AskedSchedule.safeParse({ name: name.trim(), times, run: askedOf(run) }));
      const created = await scheduleFor(face, request, asked);
      return reply.redirect(schedulePath(created.name), 303);
    },
  );

  app.get(
    '/schedules/:name',
    { config: { scope: 'read', page: true }, schema: { hide: true, params: NameParams } },
    async (request, reply) => {
      const { described } = await ownSchedule(face, request);
      return sendPage(reply, pageOfSchedule(viewerOf(request), described));
    },
  );

  for (const act of ['pause', 'resume', 'trigger', 'delete'] as const)
    app.post(
      `/schedules/:name/${act}`,
      { config: { scope: 'run', page: true }, schema: { hide: true, params: NameParams } },
      async (request, reply) => {
        const { handle } = await ownSchedule(face, request);
        await handle[act]();
        return reply.redirect(act === 'delete' ? '/schedules' : schedulePath(handle.name), 303);
      },
    );
};
