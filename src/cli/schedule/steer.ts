import type { Session } from '../../app/session/open-session';
import type { ScheduleHandle } from '../../client/schedules/schedule-request';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import { withSession } from '../session/with-run';

export interface ScheduleSteering {
  name: string;
  summary: string;
  description: string;
  act: (schedule: ScheduleHandle) => Promise<void>;
  answer: (name: string, session: Pick<Session, 'startedServer'>) => string;
}

export const SCHEDULE_STEERINGS: readonly ScheduleSteering[] = [
  {
    name: 'pause',
    summary: 'do not fire until it is resumed',
    description:
      'Pauses a schedule: it does not fire until it is resumed. A run that goes on is not touched.',
    act: (schedule) => schedule.pause(),
    answer: (name) => `Schedule ${name} is paused. Go on with: ${COMMAND} schedule resume ${name}`,
  },
  {
    name: 'resume',
    summary: 'fire at its times again',
    description: 'Resumes a paused schedule. What it missed while it was paused is not made up for.',
    act: (schedule) => schedule.resume(),
    answer: (name) => `Schedule ${name} fires at its times again.`,
  },
  {
    name: 'trigger',
    summary: 'fire now, besides its times',
    description: 'Fires now, besides its times, also where it is paused; its rule on overlaps holds.',
    act: (schedule) => schedule.trigger(),
    answer: (name, { startedServer }) =>
      startedServer
        ? `Schedule ${name} fires as soon as a server and a worker are there: ${COMMAND} dev`
        : `Schedule ${name} fires. What comes of it: ${COMMAND} schedule show ${name}`,
  },
  {
    name: 'delete',
    summary: 'fire no more; its runs stay',
    description:
      'Deletes a schedule. Its runs stay, and one that goes on goes on; what was kept for the next one is let go.',
    act: (schedule) => schedule.delete(),
    answer: (name) => `Schedule ${name} is deleted. Its runs stay: ${COMMAND} list`,
  },
];

export function steerSchedule(
  context: CommandContext,
  { name: requested, act, answer }: ScheduleSteering,
  name: string,
  json: boolean,
): Promise<ExitCode> {
  return withSession(context, async (session) => {
    await act(session.client.schedule(name));
    if (json) context.terminal.printJson({ schedule: name, requested });
    else context.terminal.print(answer(name, session));
    return ExitCode.ok;
  });
}
