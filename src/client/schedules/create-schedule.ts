import { randomBytes } from 'node:crypto';
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError as UnknownSchedule,
} from '@temporalio/client';
import type { ScheduledStart } from '../../contracts/schedule/scheduled-start';
import { scheduleLog } from '../../core/run/kept-names';
import { firingId } from '../../core/schedule/schedule-names';
import { startSummary } from '../../core/run/start-summary';
import type { ContentStore } from '../../stores/content-store';
import { InvalidRequestError } from '../run-errors';
import { planScheduledAnswer } from './plan-answer';
import { planBrief } from './plan-brief';
import { planReport } from './plan-report';
import type { PlannedRun } from './planned-run';
import { ScheduleExistsError } from './schedule-errors';
import type { ScheduleMemo } from './schedule-memo';
import { scheduleProblems } from './schedule-problems';
import type { ScheduledRequest, ScheduleRequest, ScheduleTimes } from './schedule-request';
import { policyOf, specOf } from './server-terms';

const A_DAY_MS = 86_400_000;

export interface ScheduleRecords {
  client: Client;
  taskQueue: string;
  content: ContentStore;
}

/** Checks everything first, then stores what its runs are given, then makes the schedule; what was stored is taken back where that fails. */
export async function createSchedule(records: ScheduleRecords, request: ScheduleRequest): Promise<void> {
  const { name, note, overlap = 'skip', catchUpMs = A_DAY_MS, jitterMs = 0 } = request;
  const { client, content } = records;
  const problems = scheduleProblems(request);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const planned = await planOf(request.run);
  if (await exists(client, name)) throw new ScheduleExistsError(name);
  const times = settledTimes(request.times);
  const { kind, question, engine, paths } = planned;
  // Another schedule of the name, before or after this one, has nothing to do with it.
  const keptAs = scheduleLog(name, randomBytes(4).toString('hex'));
  try {
    const start: ScheduledStart = {
      schedule: name,
      keptAs,
      question,
      engine,
      ...(await planned.store(content, keptAs)),
    };
    const memo: ScheduleMemo = { kind, question, engine, paths, times, keptAs };
    await client.schedule.create({
      scheduleId: name,
      spec: specOf(times, jitterMs),
      action: {
        type: 'startWorkflow',
        workflowType: 'scheduled',
        workflowId: firingId(name),
        taskQueue: records.taskQueue,
        args: [start],
        staticSummary: startSummary(question),
        staticDetails: `A ${kind} of schedule \`${name}\``,
      },
      // A run that fails is no reason to stop: the next one may be better off.
      policies: { overlap: policyOf(overlap), catchupWindow: catchUpMs, pauseOnFailure: false },
      memo: { ...memo },
      state: { ...(note === undefined ? {} : { note }) },
    });
  } catch (error) {
    await content.clearRun(keptAs);
    throw error instanceof ScheduleAlreadyRunning ? new ScheduleExistsError(name) : error;
  }
}

function planOf(run: ScheduledRequest): Promise<PlannedRun> {
  if ('report' in run) return planReport(run.report);
  return 'answer' in run ? planScheduledAnswer(run.answer) : planBrief(run.brief);
}

function settledTimes(times: ScheduleTimes): ScheduleMemo['times'] {
  return 'everyMs' in times ? times : { cron: times.cron.trim(), timeZone: times.timeZone ?? 'UTC' };
}

async function exists(client: Client, name: string): Promise<boolean> {
  try {
    await client.schedule.getHandle(name).describe();
    return true;
  } catch (error) {
    if (error instanceof UnknownSchedule) return false;
    throw error;
  }
}
