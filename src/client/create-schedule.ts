import { randomBytes } from 'node:crypto';
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError as UnknownSchedule,
} from '@temporalio/client';
import type { RunKind } from '../contracts/run';
import { startSummary } from '../contracts/run-protocol';
import { firingWorkflowId, scheduleLogName } from '../contracts/schedule';
import type { ScheduledStart } from '../contracts/start';
import { InvalidRequestError, ScheduleExistsError } from './client-errors';
import type { ImportRecords } from './run-records';
import type {
  RunDefinition,
  RunRequest,
  ScheduledRequest,
  ScheduleRequest,
  ScheduleTimes,
} from './run-requests';
import { type ScheduleMemo, scheduleProblems, toOverlapPolicy, toScheduleSpec } from './schedules';
import { ANSWER_DEFINITION } from './start-answer';
import { BRIEF_DEFINITION, REPORT_DEFINITION } from './start-report';
import { checkRequest, commonSettings } from './start-run';

/** For validation; each run gets an id of its own. */
const PLACEHOLDER_ID = 'scheduled';
const DAY_MS = 86_400_000;

export interface ScheduleRecords extends ImportRecords {
  client: Client;
  taskQueue: string;
}

/** Validates the request, stores the input of the runs and creates the schedule. Deletes the stored input if that fails. */
export async function createSchedule(records: ScheduleRecords, request: ScheduleRequest): Promise<void> {
  const { name, note, overlap = 'skip', catchUpMs = DAY_MS, jitterMs = 0 } = request;
  const { client, content } = records;
  const problems = scheduleProblems(request);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const planned = await planScheduledRun(records, request.run);
  if (await scheduleExists(client, name)) throw new ScheduleExistsError(name);
  const times = normalizeTimes(request.times);
  const { kind, question, engine, paths } = planned;
  const owned = planned.owner === undefined ? {} : { owner: planned.owner };
  // The mark keeps this schedule apart from earlier and later ones of the same name.
  const keptAs = scheduleLogName(name, randomBytes(4).toString('hex'));
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
      spec: toScheduleSpec(times, jitterMs),
      action: {
        type: 'startWorkflow',
        workflowType: 'scheduled',
        workflowId: firingWorkflowId(name),
        taskQueue: records.taskQueue,
        args: [start],
        staticSummary: startSummary(question),
        staticDetails: `A ${kind} of schedule \`${name}\``,
      },
      // A failed run does not pause the schedule: the next one may succeed.
      policies: { overlap: toOverlapPolicy(overlap), catchupWindow: catchUpMs, pauseOnFailure: false },
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

function planScheduledRun(records: ImportRecords, run: ScheduledRequest): Promise<PlannedRun> {
  if ('report' in run) return planRun(records, REPORT_DEFINITION, run.report);
  return 'answer' in run
    ? planRun(records, ANSWER_DEFINITION, run.answer)
    : planRun(records, BRIEF_DEFINITION, run.brief);
}

/** Rejects like the start of the run. */
async function planRun<Request extends RunRequest, Given, Settings extends object, Material extends object>(
  records: ImportRecords,
  recipe: RunDefinition<Request, Given, Settings, Material>,
  request: Request,
): Promise<PlannedRun> {
  const { kind } = recipe;
  const { question, given } = await checkRequest(recipe, request, PLACEHOLDER_ID, new Date());
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

function normalizeTimes(times: ScheduleTimes): ScheduleMemo['times'] {
  return 'everyMs' in times ? times : { cron: times.cron.trim(), timeZone: times.timeZone ?? 'UTC' };
}

async function scheduleExists(client: Client, name: string): Promise<boolean> {
  try {
    await client.schedule.getHandle(name).describe();
    return true;
  } catch (error) {
    if (error instanceof UnknownSchedule) return false;
    throw error;
  }
}
