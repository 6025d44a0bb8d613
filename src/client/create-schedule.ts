import { randomBytes } from 'node:crypto';
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError as UnknownSchedule,
} from '@temporalio/client';
import type { RunKind } from '../contracts/run';
import { startSummary } from '../contracts/run-protocol';
import { firingId, scheduleLog } from '../contracts/schedule';
import type { ScheduledStart } from '../contracts/start';
import { InvalidRequestError, ScheduleExistsError } from './client-errors';
import type { ImportRecords } from './run-records';
import type { Recipe, RunRequest, ScheduledRequest, ScheduleRequest, ScheduleTimes } from './run-requests';
import { policyOf, type ScheduleMemo, scheduleProblems, specOf } from './schedules';
import { ANSWER } from './start-answer';
import { BRIEF, REPORT } from './start-report';
import { checkedRequest, commonSettings } from './start-run';

/** For validation; each run gets an id of its own. */
const NO_ID_YET = 'scheduled';
const A_DAY_MS = 86_400_000;

export interface ScheduleRecords extends ImportRecords {
  client: Client;
  taskQueue: string;
}

/** Validates the request, stores the input of the runs and creates the schedule. Deletes the stored input if that fails. */
export async function createSchedule(records: ScheduleRecords, request: ScheduleRequest): Promise<void> {
  const { name, note, overlap = 'skip', catchUpMs = A_DAY_MS, jitterMs = 0 } = request;
  const { client, content } = records;
  const problems = scheduleProblems(request);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const planned = await planOf(records, request.run);
  if (await exists(client, name)) throw new ScheduleExistsError(name);
  const times = settledTimes(request.times);
  const { kind, question, engine, paths } = planned;
  const owned = planned.owner === undefined ? {} : { owner: planned.owner };
  // The mark keeps this schedule apart from earlier and later ones of the same name.
  const keptAs = scheduleLog(name, randomBytes(4).toString('hex'));
  try {
    const start: ScheduledStart = {
      schedule: name,
      keptAs,
      question,
      engine,
      ...owned,
      ...(await planned.store(keptAs)),
    };
    const memo: ScheduleMemo = { kind, question, engine, paths, times, keptAs, ...owned };
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
      // A failed run does not pause the schedule: the next one may succeed.
      policies: { overlap: policyOf(overlap), catchupWindow: catchUpMs, pauseOnFailure: false },
      memo: { ...memo },
      state: { ...(note === undefined ? {} : { note }) },
    });
  } catch (error) {
    await content.clearRun(keptAs);
    throw error instanceof ScheduleAlreadyRunning ? new ScheduleExistsError(name) : error;
  }
}

interface PlannedRun {
  kind: RunKind;
  question: string;
  engine: string;
  owner: string | undefined;
  paths: string[];
  store(keptAs: string): Promise<Pick<ScheduledStart, 'run' | 'sources' | 'subtopics'>>;
}

function planOf(records: ImportRecords, run: ScheduledRequest): Promise<PlannedRun> {
  if ('report' in run) return plan(records, REPORT, run.report);
  return 'answer' in run ? plan(records, ANSWER, run.answer) : plan(records, BRIEF, run.brief);
}

/** Rejects like the start of the run. */
async function plan<Request extends RunRequest, Given, Settings extends object, Material extends object>(
  records: ImportRecords,
  recipe: Recipe<Request, Given, Settings, Material>,
  request: Request,
): Promise<PlannedRun> {
  const { kind } = recipe;
  const { question, given } = await checkedRequest(recipe, request, NO_ID_YET, new Date());
  const firing = await recipe.firing(request, given);
  const { asOf, outages, searchAttributes = false, webhook } = request;
  const common = commonSettings(request);
  return {
    kind,
    question,
    engine: common.engine,
    owner: request.owner,
    paths: firing.paths,
    async store(keptAs) {
      const { input: material, ...lookedFor } = await firing.store(records, keptAs);
      const input = {
        question,
        ...common,
        ...(await recipe.settings(records.content, keptAs, request)),
        searchAttributes,
        ...(outages === undefined ? {} : { outages }),
        ...(webhook === undefined ? {} : { webhook }),
        ...(asOf === undefined ? {} : { asOf }),
        ...material,
      };
      // The input is of this kind, because the kind's own definition creates it.
      return { run: { kind, input } as ScheduledStart['run'], ...lookedFor };
    },
  };
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
